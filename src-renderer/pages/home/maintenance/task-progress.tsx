import { Button, Group, Progress } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { MaintenanceTask } from '../../../../src-main/bridge/maintenance.ts';
import { requireDesktop } from '../../../api/desktop.ts';
import { announceFailure } from '../../../ui/notices/announce.ts';
import { Hint } from '../../../ui/layout/hint.tsx';

/** Progress of work on a panel, with a button to cancel it. @param words what is being done, with how much is done */
export function TaskProgress({ task, words }: { task: MaintenanceTask; words: string }) {
  const { t } = useTranslation('shell');
  const percent = task.total > 0 ? (task.done / task.total) * 100 : 100;
  return (
    <Group gap="xs" wrap="nowrap">
      <Progress
        value={percent}
        animated={task.total === 0}
        w={100}
        aria-label={words}
        aria-valuetext={task.total > 0 ? undefined : words}
      />
      <Hint size="xs">{words}</Hint>
      <Button
        size="compact-xs"
        variant="default"
        onClick={() => void requireDesktop().maintenance.cancel(task.id).catch(announceFailure)}
      >
        {t('cancel')}
      </Button>
    </Group>
  );
}
