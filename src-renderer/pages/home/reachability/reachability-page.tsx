import { Stack } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import type {
  MaintenanceKind,
  MaintenanceTask,
  ReachabilityChoices,
  ReachabilityView,
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
import { HistoryDrawer } from './history-drawer.tsx';
import { PanelTrial } from './panel-trial.tsx';
import { ReachabilitySettings } from './reachability-settings.tsx';

const KEY = ['panels', 'vantage'] as const;
const isTrial = (kind: MaintenanceKind): boolean => kind === 'vantage';

/** How reachable the inbounds of all panels are from this computer's own network. */
export function ReachabilityPage() {
  const { t } = useTranslation('vantage');
  const cache = useQueryClient();
  const { panels } = usePanelNames();
  const history = useDialogParam('panel');
  const view = useQuery({ queryKey: KEY, queryFn: () => requireDesktop().maintenance.reachability(), staleTime: 0 });
  const refresh = useCallback(() => void cache.invalidateQueries({ queryKey: KEY }), [cache]);
  const handleEnd = useCallback(
    ({ state, words }: MaintenanceTask): void => {
      refresh();
      if (state === 'failed') announceFailure(new CallError('refused', words));
    },
    [refresh],
  );
  const tasks = useMaintenanceTasks(isTrial, handleEnd);
  const edit = useEdit<ReachabilityView>(KEY, ({ choices }) =>
    requireDesktop()
      .maintenance.setReachability(choices)
      .then(() => announceDone(t('saved')), announceFailure),
  );
  const change = (part: (choices: ReachabilityChoices) => Partial<ReachabilityChoices>): void =>
    edit((before) => ({ ...before, choices: { ...before.choices, ...part(before.choices) } }));
  const opened = panels.find(({ id }) => id === history.value);
  return (
    <PanelsFrame title={t('title')} isWide>
      <QueryView query={view}>
        {({ choices, latest }) => (
          <Stack>
            <ReachabilitySettings choices={choices} onChange={change} />
            {panels.map((panel) => (
              <PanelTrial
                key={panel.id}
                panel={panel}
                run={latest[panel.id]}
                task={tasks.find(
                  ({ kind, panelId, state }) => kind === 'vantage' && panelId === panel.id && state === 'running',
                )}
                choices={choices}
                onChange={change}
                onHistory={() => history.open(panel.id)}
              />
            ))}
          </Stack>
        )}
      </QueryView>
      {opened !== undefined && <HistoryDrawer panel={opened} onClose={history.close} />}
    </PanelsFrame>
  );
}
