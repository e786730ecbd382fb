import { Badge, Group, Menu, Table, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { CardTable } from '../../../ui/layout/card-table.tsx';
import { useDraft } from '../model/draft.ts';
import { textAt, textsAt } from '../../../forms/draft/json.ts';
import { dropItem, moveItem } from '../model/lists.ts';
import { RowMenu } from '../../../ui/row-menu.tsx';
import { OpenByName } from '../../../ui/open-by-name.tsx';
import { asServer, SERVERS, serversIn } from './dns-servers.ts';
import { useFocusAlong } from '../../../ui/use-focus-along.ts';

/** Servers in the order in which they are asked. */
export function ServerList({ onOpen }: { onOpen: (which: string) => void }) {
  const { t } = useTranslation(['core', 'words']);
  const servers = serversIn(useDraft(({ draft }) => draft));
  const edit = useDraft((draft) => draft.change);
  const follow = useFocusAlong();
  const move = (index: number, by: number): void => {
    follow(by);
    edit((before) => moveItem(before, SERVERS, index, index + by));
  };
  if (servers.length === 0) return <Text size="sm">{t('dns.noServers')}</Text>;
  return (
    <CardTable minWidth={320} columns={[t('words:address'), t('dns.domains')]} actions={t('words:actions')}>
      {servers.map(asServer).map((server, index) => {
        const address = textAt(server['address']);
        return (
          // oxlint-disable-next-line react/no-array-index-key -- one address may stand twice; the place is the identity
          <Table.Tr key={index}>
            <Table.Th scope="row">
              <Group gap={6}>
                <OpenByName name={address || t('unnamed')} onOpen={() => onOpen(String(index))} />
                {server['skipFallback'] === true && (
                  <Badge size="sm" variant="light" tt="none">
                    {t('dns.skipFallback')}
                  </Badge>
                )}
              </Group>
            </Table.Th>
            <Table.Td>
              <Text size="sm" maw={320} truncate>
                <bdi>{textsAt(server['domains']).join(', ') || t('dns.allDomains')}</bdi>
              </Text>
            </Table.Td>
            <Table.Td ta="end">
              <RowMenu label={t('words:actionsFor', { name: address })}>
                <Menu.Item onClick={() => onOpen(String(index))}>{t('words:edit')}</Menu.Item>
                <Menu.Item disabled={index === 0} onClick={() => move(index, -1)}>
                  {t('move.up')}
                </Menu.Item>
                <Menu.Item disabled={index === servers.length - 1} onClick={() => move(index, 1)}>
                  {t('move.down')}
                </Menu.Item>
                <Menu.Item color="red" onClick={() => edit((before) => dropItem(before, SERVERS, index))}>
                  {t('words:delete')}
                </Menu.Item>
              </RowMenu>
            </Table.Td>
          </Table.Tr>
        );
      })}
    </CardTable>
  );
}
