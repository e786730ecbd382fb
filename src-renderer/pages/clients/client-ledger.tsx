import { Stack, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { readLedger } from '#contract/traffic';
import { keys } from '../../api/keys.ts';
import { useCall } from '../../api/transport-context.tsx';
import { useFormat } from '../../i18n/format.ts';
import { QueryView } from '../../ui/query-view.tsx';

/** Which source moved how much in which hour, over the last day. */
export function ClientLedgerTable({ email }: { email: string }) {
  const { t } = useTranslation('clients');
  const call = useCall();
  const format = useFormat();
  const ledger = useQuery({
    queryKey: [...keys.clients, 'ledger', email],
    queryFn: ({ signal }) => call(readLedger, { params: { email }, query: { bucket: '3600' } }, signal),
  });
  return (
    <Stack gap="xs">
      <Title order={3} size="h5">
        {t('drawer.ledger')}
      </Title>
      <QueryView
        query={ledger}
        isEmpty={({ buckets }) => buckets.length === 0}
        empty={<Text c="dimmed">{t('drawer.noTraffic')}</Text>}
      >
        {({ buckets }) => (
          <Table>
            <Table.Thead>
              <Table.Tr>
                <Table.Th scope="col">{t('drawer.time')}</Table.Th>
                <Table.Th scope="col">{t('drawer.source')}</Table.Th>
                <Table.Th scope="col">{t('drawer.up')}</Table.Th>
                <Table.Th scope="col">{t('drawer.down')}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {buckets.map(({ start, source, guid, up, down }) => (
                <Table.Tr key={`${start} ${source} ${guid}`}>
                  <Table.Td>{format.dateTime(start)}</Table.Td>
                  <Table.Td>{t(`drawer.sources.${source}`)}</Table.Td>
                  <Table.Td>{format.bytes(up)}</Table.Td>
                  <Table.Td>{format.bytes(down)}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        )}
      </QueryView>
    </Stack>
  );
}
