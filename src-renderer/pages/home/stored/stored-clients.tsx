import { Button, Group, Stack, Table, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { MAX_SEARCH_LENGTH } from '../../../../src-main/bridge/panels.ts';
import { requireDesktop } from '../../../api/desktop.ts';
import { useFormat } from '../../../i18n/format.ts';
import { TableHead } from '../../../ui/layout/table-head.tsx';
import { QueryView } from '../../../ui/query-view/query-view.tsx';
import { Hint } from '../../../ui/layout/hint.tsx';

const PAGE = 50;
const SEARCH_AFTER_MS = 150;

/** The last read clients, a page at a time: a panel may have 100,000. */
export function StoredClients({ id, readAtMs }: { id: string; readAtMs: number }) {
  const { t } = useTranslation(['home', 'words']);
  const format = useFormat();
  const [text, setText] = useState('');
  const [page, setPage] = useState(0);
  const [wanted] = useDebouncedValue(text, SEARCH_AFTER_MS);
  const clients = useQuery({
    queryKey: ['panels', 'clients', id, wanted, page, readAtMs],
    queryFn: () => requireDesktop().panels.clients({ id, text: wanted, offset: page * PAGE, limit: PAGE }),
    placeholderData: keepPreviousData,
    gcTime: 0,
  });
  return (
    <Stack>
      <TextInput
        type="search"
        label={t('stored.find')}
        value={text}
        maxLength={MAX_SEARCH_LENGTH}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setPage(0);
        }}
      />
      <QueryView
        query={clients}
        isEmpty={({ found }) => found === 0}
        empty={<Text c="dimmed">{t('nothingHere')}</Text>}
      >
        {({ clients: rows, found }) => (
          <>
            <Table.ScrollContainer minWidth={520}>
              <Table>
                <TableHead
                  columns={[
                    t('words:email'),
                    t('stored.used'),
                    t('stored.expires'),
                    t('stored.on'),
                    t('stored.comment'),
                  ]}
                />
                <Table.Tbody>
                  {rows.map(({ email, usedBytes, totalBytes, expiresAtMs, enable, comment }) => (
                    <Table.Tr key={email}>
                      <Table.Th scope="row">
                        <bdi>{email}</bdi>
                      </Table.Th>
                      <Table.Td>
                        {totalBytes === 0
                          ? format.bytes(usedBytes)
                          : t('stored.of', { used: format.bytes(usedBytes), total: format.bytes(totalBytes) })}
                      </Table.Td>
                      <Table.Td>{expiresAtMs > 0 ? format.date(expiresAtMs) : '–'}</Table.Td>
                      <Table.Td>{enable ? t('words:yes') : t('words:no')}</Table.Td>
                      <Table.Td>
                        <bdi>{comment}</bdi>
                      </Table.Td>
                    </Table.Tr>
                  ))}
                </Table.Tbody>
              </Table>
            </Table.ScrollContainer>
            <Group justify="space-between">
              <Hint>{t('stored.found', { count: found })}</Hint>
              <Group gap="xs">
                <Button variant="default" size="xs" disabled={page === 0} onClick={() => setPage(page - 1)}>
                  {t('stored.before')}
                </Button>
                <Button
                  variant="default"
                  size="xs"
                  disabled={(page + 1) * PAGE >= found}
                  onClick={() => setPage(page + 1)}
                >
                  {t('stored.next')}
                </Button>
              </Group>
            </Group>
          </>
        )}
      </QueryView>
    </Stack>
  );
}
