import { Group, SegmentedControl, Stack, Table, Text, Title } from '@mantine/core';
import { keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { readLedger } from '#contract/traffic';
import { keys } from '../../../api/keys.ts';
import { useRead } from '../../../api/use-read.ts';
import { useFormat } from '../../../i18n/format.ts';
import { serverNow } from '../../../stores/server-clock.ts';
import { QueryView } from '../../../ui/query-view/query-view.tsx';
import { TableHead } from '../../../ui/layout/table-head.tsx';

const DAY_MS = 86_400_000;
/** Periods on offer, with the length of their buckets in seconds as the server takes it. */
const SPANS = {
  day: { ms: DAY_MS, bucket: '3600' },
  week: { ms: 7 * DAY_MS, bucket: '3600' },
  month: { ms: 30 * DAY_MS, bucket: '86400' },
} as const;
type Span = keyof typeof SPANS;

/** Which source moved how much in which hour, or on which day over a month. */
export function ClientLedgerTable({ email }: { email: string }) {
  const { t } = useTranslation(['clients', 'words']);
  const format = useFormat();
  const [span, setSpan] = useState<Span>('day');
  const { ms, bucket } = SPANS[span];
  const ledger = useRead(
    readLedger,
    { params: { email }, query: { from: String(serverNow() - ms), bucket } },
    [...keys.clients, 'ledger', email, span],
    { placeholderData: keepPreviousData },
  );
  return (
    <Stack gap="xs">
      <Group justify="space-between">
        <Title order={3} size="h5">
          {t('drawer.ledger')}
        </Title>
        <SegmentedControl
          size="xs"
          aria-label={t('ledger.span')}
          data={(['day', 'week', 'month'] as const).map((value) => ({ value, label: t(`ledger.spans.${value}`) }))}
          value={span}
          onChange={setSpan}
        />
      </Group>
      <QueryView
        query={ledger}
        isEmpty={({ buckets }) => buckets.length === 0}
        empty={<Text c="dimmed">{t('drawer.noTraffic')}</Text>}
      >
        {({ buckets }) => (
          <Table>
            <TableHead columns={[t('words:time'), t('drawer.source'), t('words:up'), t('words:down')]} />
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
