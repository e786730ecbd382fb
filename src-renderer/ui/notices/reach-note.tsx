import { Alert } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { nearHost } from './near-host.ts';

/** Beside a link for another device: warns when only this device or network can reach its host. */
export function ReachNote({ link }: { link: string }) {
  const { t } = useTranslation('shell');
  const host = nearHost(link);
  if (host === '') return null;
  return (
    <Alert color="yellow" role="note">
      {t('near', { host })}
    </Alert>
  );
}
