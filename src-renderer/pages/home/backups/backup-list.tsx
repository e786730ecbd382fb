import { ActionIcon, Badge, Group, Menu, Select, Stack, Table, Text, Title } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { BackupEntry, MaintenanceTask } from '../../../../src-main/bridge/maintenance.ts';
import { confirmedFirst } from '../../../api/confirm-first.tsx';
import { requireDesktop } from '../../../api/desktop.ts';
import { useFormat } from '../../../i18n/format.ts';
import { confirmAction } from '../../../ui/confirm.tsx';
import { CardTable } from '../../../ui/layout/card-table.tsx';
import { EmptyState } from '../../../ui/layout/empty-state.tsx';
import { announceFailure } from '../../../ui/notices/announce.ts';
import { useDialogParam } from '../../../ui/address/use-dialog-param.ts';
import { Hint } from '../../../ui/layout/hint.tsx';
import { TaskProgress } from '../maintenance/task-progress.tsx';
import type { NamedPanel } from '../panel-names.ts';

const COLUMNS = ['panel', 'taken', 'size', 'state', 'holds'] as const;
const COLORS = { good: 'teal.9', damaged: 'red.9', unchecked: 'gray.7' } as const;

interface BackupListProps {
  panels: readonly NamedPanel[];
  /** Newest first. */
  entries: readonly BackupEntry[];
  tasks: readonly MaintenanceTask[];
  onInside: (backup: string) => void;
  onRestore: (backup: string) => void;
  onChange: () => void;
}

/** Every backup on this computer, with its actions. */
export function BackupList({ panels, entries, tasks, onInside, onRestore, onChange }: BackupListProps) {
  const { t } = useTranslation(['backups', 'words']);
  const format = useFormat();
  const only = useDialogParam('panel');
  // A panel may have been removed while its backups stay.
  const names = new Map(entries.map(({ panelId, name }) => [panelId, name]));
  for (const { id, name } of panels) names.set(id, name);
  const shown = only.value === null ? entries : entries.filter(({ panelId }) => panelId === only.value);
  const busy = tasks.filter(({ kind, state }) => kind !== 'pull' && kind !== 'vantage' && state === 'running');

  const handleRemove = async (backup: BackupEntry): Promise<void> => {
    const action = t('words:delete');
    const taken = format.dateTime(backup.takenAtMs);
    const text = t('remove.text', { name: names.get(backup.panelId) ?? '', when: taken });
    if (!(await confirmAction({ title: action, text, action }))) return;
    const { panelId, takenAtMs } = backup;
    await confirmedFirst(() => requireDesktop().maintenance.remove({ panelId, takenAtMs })).then(
      onChange,
      announceFailure,
    );
  };
  return (
    <Stack gap="xs">
      <Group justify="space-between">
        <Title order={2} size="h4">
          {t('words:backups')}
        </Title>
        <Select
          aria-label={t('only')}
          placeholder={t('only')}
          clearable
          clearButtonProps={{ 'aria-label': t('allPanels') }}
          value={only.value}
          data={[...names].map(([value, label]) => ({ value, label }))}
          onChange={(value) => (value === null ? only.close() : only.open(value))}
        />
      </Group>
      {busy.map((task) => (
        <TaskProgress key={task.id} task={task} words={t(`running.${task.kind as 'check'}`)} />
      ))}
      {shown.length === 0 ? (
        <EmptyState text={t('empty')} />
      ) : (
        <CardTable
          minWidth={760}
          columns={COLUMNS.map((column) => t(`column.${column}`))}
          actions={t('column.actions')}
        >
          {shown.map((backup) => (
            <BackupRow
              key={`${backup.panelId}/${backup.takenAtMs}`}
              backup={backup}
              name={names.get(backup.panelId) ?? ''}
              onInside={onInside}
              onRestore={onRestore}
              onRemove={() => void handleRemove(backup)}
            />
          ))}
        </CardTable>
      )}
    </Stack>
  );
}

interface RowProps extends Pick<BackupListProps, 'onInside' | 'onRestore'> {
  backup: BackupEntry;
  name: string;
  onRemove: () => void;
}

function BackupRow({ backup, name, onInside, onRestore, onRemove }: RowProps) {
  const { t } = useTranslation(['backups', 'words']);
  const format = useFormat();
  const { panelId, takenAtMs, state, words, inbounds, clients } = backup;
  const place = `${panelId}/${takenAtMs}`;
  const { maintenance } = requireDesktop();
  const taken = format.dateTime(takenAtMs);
  return (
    <Table.Tr aria-label={`${name} ${taken}`}>
      <Table.Th scope="row">
        <bdi>{name}</bdi>
      </Table.Th>
      <Table.Td data-label={t('column.taken')}>{taken}</Table.Td>
      <Table.Td data-label={t('column.size')}>
        {format.bytes(backup.bytes)}
        <Hint size="xs">{t('unpacked', { size: format.bytes(backup.contentBytes) })}</Hint>
      </Table.Td>
      <Table.Td data-label={t('column.state')}>
        <Badge color={COLORS[state]}>{t(`state.${state}`)}</Badge>
        {words !== '' && (
          <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            <bdi>{words}</bdi>
          </Text>
        )}
      </Table.Td>
      <Table.Td data-label={t('column.holds')}>
        {inbounds === null || clients === null ? '–' : t('holds', { inbounds, clients })}
      </Table.Td>
      <Table.Td>
        <Menu position="bottom-end">
          <Menu.Target>
            <ActionIcon variant="subtle" color="gray" aria-label={t('moreOf', { name, when: taken })}>
              <IconDots size={18} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item disabled={state === 'damaged'} onClick={() => onInside(place)}>
              {t('inside.action')}
            </Menu.Item>
            <Menu.Item onClick={() => void maintenance.check({ panelId, takenAtMs }).catch(announceFailure)}>
              {t('check')}
            </Menu.Item>
            <Menu.Item disabled={state === 'damaged'} onClick={() => onRestore(place)}>
              {t('restore.action')}
            </Menu.Item>
            <Menu.Item
              onClick={() =>
                void confirmedFirst(() => maintenance.exportTo({ panelId, takenAtMs })).catch(announceFailure)
              }
            >
              {t('export')}
            </Menu.Item>
            <Menu.Item color="red" onClick={onRemove}>
              {t('words:delete')}
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      </Table.Td>
    </Table.Tr>
  );
}
