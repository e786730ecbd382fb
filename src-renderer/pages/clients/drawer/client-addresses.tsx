import { Button, Group, Stack, Table, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { clearClientIps, clientIps } from '#contract/clientIps';
import { keys } from '../../../api/keys.ts';
import { useRead } from '../../../api/use-read.ts';
import { useChange } from '../../../api/use-change.ts';
import { useFormat } from '../../../i18n/format.ts';
import { announceDone, announceFailure } from '../../../ui/notices/announce.ts';
import { Country } from '../../../ui/country/country.tsx';
import { useCountries } from '../../../ui/country/use-countries.ts';
import { QueryView } from '../../../ui/query-view/query-view.tsx';
import { TableHead } from '../../../ui/layout/table-head.tsx';
import { Hint } from '../../../ui/layout/hint.tsx';
import { readSeenAddress } from './seen-address.ts';

/** Where a client was seen lately, and forgetting it, which lets in again whom the limit of addresses keeps out. */
export function ClientAddresses({ email }: { email: string }) {
  const { t } = useTranslation(['clientTools', 'words']);
  const format = useFormat();
  const addresses = useRead(clientIps, { params: { email } }, [...keys.clients, 'addresses', email]);
  const countries = useCountries((addresses.data ?? []).map((line) => readSeenAddress(line).ip));
  const clear = useChange(clearClientIps, [keys.clients]);
  const handleClear = (): void =>
    clear.mutate(
      { params: { email } },
      { onSuccess: () => announceDone(t('addresses.cleared')), onError: announceFailure },
    );
  return (
    <Stack component="section" aria-labelledby="client-addresses" gap="xs">
      <Group justify="space-between">
        <Title order={3} size="h5" id="client-addresses">
          {t('addresses.title')}
        </Title>
        {/* Blocks may outlast the half hour that addresses are shown for. */}
        <Button size="compact-sm" variant="default" loading={clear.isPending} onClick={handleClear}>
          {t('addresses.clear')}
        </Button>
      </Group>
      <QueryView query={addresses} empty={<Hint>{t('addresses.none')}</Hint>}>
        {(lines) => (
          <Table>
            <TableHead columns={[t('words:address'), t('addresses.seen')]} />
            <Table.Tbody>
              {lines.map(readSeenAddress).map(({ ip, seenAtMs }) => (
                <Table.Tr key={ip}>
                  <Table.Th scope="row">
                    <Country code={countries[ip]} />
                    <bdi>{ip}</bdi>
                  </Table.Th>
                  <Table.Td>{seenAtMs === null ? '—' : format.dateTime(seenAtMs)}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        )}
      </QueryView>
    </Stack>
  );
}
