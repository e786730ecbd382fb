import { Modal } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { ClientLedgerTable } from './client-ledger.tsx';

/** Which source moved how much and when: what stands behind a traffic figure of the list. */
export function LedgerDialog({ email, onClose }: { email: string; onClose: () => void }) {
  const { t } = useTranslation('clients');
  return (
    <Modal opened onClose={onClose} size="lg" title={t('ledger.title', { email })}>
      <ClientLedgerTable email={email} />
    </Modal>
  );
}
