import { Drawer, Stack, Title } from '@mantine/core';
import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { getClient } from '#contract/clients';
import { keys } from '../../../api/keys.ts';
import { useRead } from '../../../api/use-read.ts';
import { CopyField } from '../../../ui/copy/copy-field.tsx';
import { QueryView } from '../../../ui/query-view/query-view.tsx';
import { ClientLedgerTable } from './client-ledger.tsx';
import { ClientLinks } from './client-links.tsx';
import { ClientAddresses } from './client-addresses.tsx';
import { ClientCounters } from './client-counters.tsx';
import { ClientSummary } from './client-summary.tsx';
import { ClientSwitch } from './client-switch.tsx';
import { ClientVerbs } from './client-verbs.tsx';
import { ExternalLinks } from './external-links.tsx';
import { later } from '../../../ui/notices/later.tsx';

const SubjectTraffic = later(async () => (await import('../../traffic/subject-traffic.tsx')).SubjectTraffic);

interface ClientDrawerProps {
  email: string;
  onClose: () => void;
  onEdit: (email: string) => void;
  onCode: (email: string) => void;
  onLedger: (email: string) => void;
  onAmounts: () => void;
}

/** One client with its secrets, fetched when it is opened: list rows carry none. */
export function ClientDrawer({ email, onClose, onEdit, ...tools }: ClientDrawerProps) {
  const { t } = useTranslation(['clients', 'words']);
  const client = useRead(getClient, { params: { email } }, [...keys.clients, 'one', email]);
  return (
    <Drawer opened onClose={onClose} title={<bdi>{email}</bdi>}>
      <QueryView query={client}>
        {(whole) => {
          const { client: row, externalLinks } = whole;
          return (
            <Stack>
              <ClientVerbs client={row} onEdit={onEdit} onDeleted={onClose} {...tools} />
              <ClientSwitch email={email} isEnabled={row.enable} />
              <ClientSummary client={whole} />
              <ClientCounters email={email} />
              <ClientLinks email={email} subId={row.subId} />
              <ExternalLinks email={email} links={externalLinks} />
              <ClientAddresses email={email} />
              <Title order={3} size="h5">
                {t('drawer.secrets')}
              </Title>
              <CopyField label={t('drawer.uuid')} value={row.uuid} />
              <CopyField label={t('words:password')} value={row.password} />
              <CopyField label={t('drawer.auth')} value={row.auth} />
              <CopyField label={t('drawer.subId')} value={row.subId} />
              <Suspense fallback={null}>
                <SubjectTraffic subject="client" name={email} title={email} />
              </Suspense>
              <ClientLedgerTable email={email} />
            </Stack>
          );
        }}
      </QueryView>
    </Drawer>
  );
}
