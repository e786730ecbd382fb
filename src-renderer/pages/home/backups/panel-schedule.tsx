import { Button, Checkbox, Group, Table, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type {
  BackupEntry,
  BackupFailure,
  BackupsChoices,
  MaintenanceTask,
} from '../../../../src-main/bridge/maintenance.ts';
import { requireDesktop } from '../../../api/desktop.ts';
import { useFormat } from '../../../i18n/format.ts';
import { CardTable } from '../../../ui/layout/card-table.tsx';
import { announceFailure } from '../../../ui/notices/announce.ts';
import { TaskProgress } from '../maintenance/task-progress.tsx';
import type { NamedPanel } from '../panel-names.ts';
import { TimeField } from '../time-field.tsx';
import { useSlowNow } from '../panels/use-slow-now.ts';

const COLUMNS = ['panel', 'lastGood', 'scheduled', 'ownTime'] as const;

interface PanelScheduleProps {
  panels: readonly NamedPanel[];
  entries: readonly BackupEntry[];
  failures: readonly BackupFailure[];
  choices: BackupsChoices;
  tasks: readonly MaintenanceTask[];
  /** Whether there is a key to seal backups with. */
  canTake: boolean;
  /** @param part what changes in the latest choices */
  onChange: (part: (choices: BackupsChoices) => Partial<BackupsChoices>) => void;
}

/** Each panel: its last intact backup, its schedule, and a button to back up now. */
export function PanelSchedule(props: PanelScheduleProps) {
  const { panels, entries, failures, choices, tasks, canTake, onChange } = props;
  const { t } = useTranslation(['backups', 'shell']);
  const format = useFormat();
  const nowMs = useSlowNow();
  return (
    <CardTable minWidth={760} columns={COLUMNS.map((column) => t(`column.${column}`))} actions={t('column.actions')}>
      {panels.map(({ id, name }) => {
        const good = entries.find(({ panelId, state }) => panelId === id && state === 'good');
        const failure = failures.find(({ panelId }) => panelId === id);
        const task = tasks.find((each) => each.kind === 'pull' && each.panelId === id && each.state === 'running');
        const own = choices.ownAtMin[id];
        const setTime = (atMin: number | null): void =>
          onChange(({ ownAtMin: { [id]: _own, ...others } }) => ({
            ownAtMin: atMin === null ? others : { ...others, [id]: atMin },
          }));
        const setScheduled = (isScheduled: boolean): void =>
          onChange(({ off }) => {
            const others = off.filter((other) => other !== id);
            return { off: isScheduled ? others : [...others, id] };
          });
        return (
          <Table.Tr key={id} aria-label={name}>
            <Table.Th scope="row">
              <bdi>{name}</bdi>
            </Table.Th>
            <Table.Td data-label={t('column.lastGood')}>
              <Text size="sm">{good === undefined ? t('none') : format.relative(good.takenAtMs, nowMs)}</Text>
              {failure !== undefined && (
                <Text size="xs" c="red.9" style={{ overflowWrap: 'anywhere' }}>
                  {t('failed', { when: format.dateTime(failure.atMs) })} <bdi>{failure.words}</bdi>
                </Text>
              )}
            </Table.Td>
            <Table.Td data-label={t('column.scheduled')}>
              <Checkbox
                aria-label={t('scheduledOf', { name })}
                checked={!choices.off.includes(id)}
                onChange={(event) => setScheduled(event.currentTarget.checked)}
              />
            </Table.Td>
            <Table.Td data-label={t('column.ownTime')}>
              <TimeField
                w={120}
                aria-label={t('ownTimeOf', { name })}
                value={own ?? null}
                empty={null}
                onChange={setTime}
              />
            </Table.Td>
            <Table.Td>
              <Group justify="flex-end" wrap="nowrap">
                {task === undefined ? (
                  <Button
                    size="xs"
                    variant="default"
                    disabled={!canTake}
                    aria-label={t('nowOf', { name })}
                    onClick={() => void requireDesktop().maintenance.pull(id).catch(announceFailure)}
                  >
                    {t('now')}
                  </Button>
                ) : (
                  <TaskProgress task={task} words={t('coming', { size: format.bytes(task.done) })} />
                )}
              </Group>
            </Table.Td>
          </Table.Tr>
        );
      })}
    </CardTable>
  );
}
