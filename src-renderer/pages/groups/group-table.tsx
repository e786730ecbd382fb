import { ActionIcon, Anchor, Menu, Table, VisuallyHidden } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { deleteGroup, resetGroupTraffic, type Group } from '#contract/groups';
import { keys } from '../../api/keys.ts';
import { useChange } from '../../api/use-change.ts';
import { useFormat } from '../../i18n/format.ts';
import { announceDone, announceFailure } from '../../ui/announce.ts';
import { confirmDeed } from '../../ui/confirm.tsx';

export function GroupTable({ rows, onRename }: { rows: readonly Group[]; onRename: (name: string) => void }) {
  const { t } = useTranslation('groups');
  return (
    <Table.ScrollContainer minWidth={320}>
      <Table highlightOnHover>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{t('name')}</Table.Th>
            <Table.Th scope="col">{t('members')}</Table.Th>
            <Table.Th scope="col">{t('traffic')}</Table.Th>
            <Table.Th scope="col">
              <VisuallyHidden>{t('actions')}</VisuallyHidden>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((group) => (
            <GroupRow key={group.name} group={group} onRename={onRename} />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function GroupRow({ group, onRename }: { group: Group; onRename: (name: string) => void }) {
  const { t } = useTranslation(['groups', 'shell']);
  const format = useFormat();
  const remove = useChange(deleteGroup, [keys.groups, keys.clients]);
  const reset = useChange(resetGroupTraffic, [keys.groups]);
  const { name } = group;
  const handleReset = (): void =>
    reset.mutate(
      { body: { name } },
      { onSuccess: () => announceDone(t('resetDone', { name })), onError: announceFailure },
    );
  const handleDelete = async (): Promise<void> => {
    const isSure = await confirmDeed({
      title: t('deleteTitle', { name }),
      text: t('deleteText'),
      deed: t('delete'),
      cancel: t('shell:cancel'),
    });
    if (isSure) remove.mutate({ body: { name } }, { onError: announceFailure });
  };
  return (
    <Table.Tr>
      <Table.Td>
        <bdi>{name}</bdi>
      </Table.Td>
      <Table.Td>
        <Anchor component={Link} to={`/panel/clients?group=${encodeURIComponent(name)}`}>
          {format.number(group.clientCount)}
        </Anchor>
      </Table.Td>
      <Table.Td>{format.bytes(group.trafficUsed)}</Table.Td>
      <Table.Td ta="end">
        <Menu position="bottom-end">
          <Menu.Target>
            <ActionIcon variant="subtle" color="gray" size={36} aria-label={t('menu', { name })}>
              <IconDots size={18} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item onClick={() => onRename(name)}>{t('rename')}</Menu.Item>
            <Menu.Item onClick={handleReset}>{t('reset')}</Menu.Item>
            <Menu.Item color="red" onClick={() => void handleDelete()}>
              {t('delete')}
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      </Table.Td>
    </Table.Tr>
  );
}
