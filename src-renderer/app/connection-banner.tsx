import { Alert } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useConnection } from '../stores/connection.ts';

/** Says that the panel is gone for the moment; the stream comes back by itself. */
export function ConnectionBanner() {
  const { t } = useTranslation('shell');
  const isUp = useConnection((state) => state.isSocketUp);
  if (isUp !== false) return null;
  return (
    <Alert color="yellow" title={t('connection.lost')} role="status" mb="md">
      {t('connection.waiting')}
    </Alert>
  );
}
