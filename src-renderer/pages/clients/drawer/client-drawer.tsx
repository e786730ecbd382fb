import { Button, Drawer, Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { getClient } from '#contract/clients';
import { keys } from '../../../api/keys.ts';
import { useCall } from '../../../api/transport-context.tsx';
import { useFormat } from '../../../i18n/format.ts';
import { CopyField } from '../../../ui/copy-field.tsx';
import { QueryView } from '../../../ui/query-view.tsx';
import { ClientLedgerTable } from './client-ledger.tsx';
import { ClientLinks } from './client-links.tsx';
import { useActions } from '../actions/action-store.ts';
import { ClientAddresses } from './client-addresses.tsx';
import { ClientCounters } from './client-counters.tsx';
import { ClientSwitch } from './client-switch.tsx';
import { ExternalLinks } from './external-links.tsx';
import { useExpiryText } from '../use-expiry-text.ts';
import { usedText } from '../used-text.ts';

interface ClientDrawerProps {
  email: string;
  onClose: () => void;
  onEdit: (email: string) => void;
}

/** One client with its secrets, fetched when it is opened: list rows carry none. */
export function ClientDrawer({ email, onClose, onEdit }: ClientDrawerProps) {
  const { t } = useTranslation(['clients', 'shell']);
  const call = useCall();
  const format = useFormat();
  const expiryText = useExpiryText();
  const ask = useActions((state) => state.ask);
  const client = useQuery({
    queryKey: [...keys.clients, 'one', email],
    queryFn: ({ signal }) => call(getClient, { params: { email } }, signal),
  });
  return (
    <Drawer opened onClose={onClose} title={<bdi>{email}</bdi>} closeButtonProps={{ 'aria-label': t('shell:close') }}>
      <QueryView query={client}>
        {({ client: row, usedTraffic, lastSubFetch, externalLinks }) => (
          <Stack>
            <Group gap="xs">
              <Button onClick={() => onEdit(email)}>{t('drawer.edit')}</Button>
              <Button variant="default" color="red" onClick={() => ask('delete', [email], onClose)}>
                {t('drawer.delete')}
              </Button>
            </Group>
            <ClientSwitch email={email} isEnabled={row.enable} />
            <Text>
              {usedText(usedTraffic, row.totalGB, { format, t })}
              {' · '}
              {t('column.expiry')}: {expiryText(row.expiryTime)}
            </Text>
            <ClientCounters email={email} />
            <Text size="sm" c="dimmed">
              {lastSubFetch === 0
                ? t('drawer.neverFetched')
                : t('drawer.fetched', { when: format.dateTime(lastSubFetch) })}
            </Text>
            <ClientLinks email={email} subId={row.subId} />
            <ExternalLinks email={email} links={externalLinks} />
            <ClientAddresses email={email} />
            <Title order={3} size="h5">
              {t('drawer.secrets')}
            </Title>
            <CopyField label={t('drawer.uuid')} value={row.uuid} />
            <CopyField label={t('drawer.password')} value={row.password} />
            <CopyField label={t('drawer.auth')} value={row.auth} />
            <CopyField label={t('drawer.subId')} value={row.subId} />
            <ClientLedgerTable email={email} />
          </Stack>
        )}
      </QueryView>
    </Drawer>
  );
}
