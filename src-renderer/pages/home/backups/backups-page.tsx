import { Stack } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import type {
  BackupsChoices,
  BackupsView,
  MaintenanceKind,
  MaintenanceTask,
} from '../../../../src-main/bridge/maintenance.ts';
import { requireDesktop } from '../../../api/desktop.ts';
import { CallError } from '../../../api/transport.ts';
import { useEdit } from '../../../api/use-edit.ts';
import { announceDone, announceFailure } from '../../../ui/notices/announce.ts';
import { QueryView } from '../../../ui/query-view/query-view.tsx';
import { useDialogParam } from '../../../ui/address/use-dialog-param.ts';
import { PanelsFrame } from '../panels-frame.tsx';
import { usePanelNames } from '../panel-names.ts';
import { useMaintenanceTasks } from '../maintenance/use-maintenance-tasks.ts';
import { BackupKeyNotice } from './backup-key-notice.tsx';
import { BackupList } from './backup-list.tsx';
import { InsideDrawer } from './inside-drawer.tsx';
import { PanelSchedule } from './panel-schedule.tsx';
import { RestoreDialog } from './restore-dialog.tsx';
import { ScheduleCard } from './schedule-card.tsx';

const KEY = ['panels', 'copies'] as const;
const isOfBackups = (kind: MaintenanceKind): boolean => kind !== 'vantage';

/** Backups of all panels on this computer: their schedule, results and actions. */
export function BackupsPage() {
  const { t } = useTranslation('backups');
  const cache = useQueryClient();
  const { panels, areKnown } = usePanelNames();
  const inside = useDialogParam('inside');
  const restored = useDialogParam('restore');
  const view = useQuery({ queryKey: KEY, queryFn: () => requireDesktop().maintenance.backups(), staleTime: 0 });
  const refresh = useCallback(() => void cache.invalidateQueries({ queryKey: KEY }), [cache]);
  const handleEnd = useCallback(
    ({ kind, state, words }: MaintenanceTask): void => {
      refresh();
      if (kind === 'vantage') return;
      if (state === 'done') announceDone(t(`ended.${kind}`));
      if (state === 'failed')
        announceFailure(new CallError('refused', kind === 'pull' ? words : t(`failure.${kind}`, { words })));
    },
    [refresh, t],
  );
  const tasks = useMaintenanceTasks(isOfBackups, handleEnd);
  const edit = useEdit<BackupsView>(KEY, ({ choices }) =>
    requireDesktop().maintenance.setBackups(choices).catch(announceFailure),
  );
  const change = (part: (choices: BackupsChoices) => Partial<BackupsChoices>): void =>
    edit((before) => ({ ...before, choices: { ...before.choices, ...part(before.choices) } }));
  const entryOf = (value: string | null) =>
    view.data?.entries.find(({ panelId, takenAtMs }) => `${panelId}/${takenAtMs}` === value);
  const opened = entryOf(inside.value);
  const toRestore = entryOf(restored.value);
  return (
    <PanelsFrame title={t('title')} isWide>
      <QueryView query={view}>
        {({ entries, failures, choices, key }) => (
          <Stack>
            <BackupKeyNotice state={key} onChange={refresh} />
            <ScheduleCard choices={choices} onChange={change} />
            {areKnown && (
              <>
                <PanelSchedule
                  panels={panels}
                  entries={entries}
                  failures={failures}
                  choices={choices}
                  tasks={tasks}
                  canTake={key !== 'none'}
                  onChange={change}
                />
                <BackupList
                  panels={panels}
                  entries={entries}
                  tasks={tasks}
                  onInside={inside.open}
                  onRestore={restored.open}
                  onChange={refresh}
                />
              </>
            )}
          </Stack>
        )}
      </QueryView>
      {areKnown && opened !== undefined && <InsideDrawer backup={opened} panels={panels} onClose={inside.close} />}
      {areKnown && toRestore !== undefined && (
        <RestoreDialog backup={toRestore} panels={panels} onClose={restored.close} />
      )}
    </PanelsFrame>
  );
}
