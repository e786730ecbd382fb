import { Alert } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { nearHost } from './near-host.ts';

/** Beside a link for somebody else's device: says when it leads to a place that only this device or network reaches. */
export function ReachNote({ link }: { link: string }) {
  const { t } = useTranslation('shell');
  const host = nearHost(link);
  if (host === '') return null;
  return (
    <Alert color="yellow" role="note">
      {t('near', { host: `\u2068${host}\u2069` })}
    </Alert>
  );
}
