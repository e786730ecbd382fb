import type { TFunction } from 'i18next';
import type { Format } from '../../i18n/format.ts';

interface UsedTextTools {
  format: Format;
  t: TFunction<'clients'>;
}

/** What was used and how much of it is left to use, in words. A quota of 0 bytes is none. */
export function usedText(usedBytes: number, quotaBytes: number, { format, t }: UsedTextTools): string {
  const used = format.bytes(usedBytes);
  return quotaBytes === 0 ? t('usedUnlimited', { used }) : t('usedOf', { used, quota: format.bytes(quotaBytes) });
}
