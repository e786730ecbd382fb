import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../i18n/format.ts';
import { serverNow } from '../../stores/server-clock.ts';

const DAY_MS = 86_400_000;

/** Words for an expiry as the wire carries it: ms since the epoch, 0 = never, negative = from first use. */
export function useExpiryText(): (expiryTime: number) => string {
  const { t } = useTranslation('clients');
  const format = useFormat();
  return useCallback(
    (expiryTime) => {
      if (expiryTime === 0) return t('never');
      if (expiryTime < 0) return t('afterFirstUse', { days: Math.ceil(-expiryTime / DAY_MS) });
      return format.relative(expiryTime, serverNow());
    },
    [t, format],
  );
}
