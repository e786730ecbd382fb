import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import type { JobMessage } from '../../../../src-main/bridge/jobs.ts';
import { useFormat } from '../../../i18n/format.ts';

/** Words for messages of the process that works on panels, with times and amounts in the language's format. */
export function useMessageText(): (message: JobMessage) => string {
  const { t } = useTranslation('works');
  const format = useFormat();
  return useCallback(
    ({ code, params }: JobMessage): string => {
      const shown: Record<string, string | number> & { count?: number } = {};
      for (const [name, value] of Object.entries(params)) {
        if (typeof value === 'string') shown[name] = value;
        else if (name.endsWith('Ms')) shown[name.slice(0, -2)] = format.date(value);
        else if (name.endsWith('Bytes')) shown[name.slice(0, -5)] = format.bytes(value);
        // Counts stay numbers, for their plural; ports and ids are not amounts.
        else shown[name] = name === 'count' || name === 'days' ? value : String(value);
      }
      return t(`message.${code}`, shown);
    },
    [t, format],
  );
}
