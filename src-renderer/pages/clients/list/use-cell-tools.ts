import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../i18n/format.ts';
import { usePlans } from '../../plans/use-plans.ts';
import type { CellTools } from './columns/columns.tsx';
import { useExpiryText } from '../use-expiry-text.ts';
import { useInboundOptions } from '../use-inbound-options.ts';

/** What every cell is drawn with; the same object until the language or the names of inbounds change. */
export function useCellTools(onLedger: (email: string) => void): CellTools {
  const { t } = useTranslation('clients');
  const { t: verb } = useTranslation('rowVerbs');
  const format = useFormat();
  const expiryText = useExpiryText();
  const options = useInboundOptions();
  const inboundNames = useMemo(
    () => new Map((options.data ?? []).map(({ id, remark, tag }) => [id, remark || tag])),
    [options.data],
  );
  const plans = usePlans();
  const planNames = useMemo(() => new Map((plans.data ?? []).map(({ id, name }) => [id, name])), [plans.data]);
  return useMemo(
    () => ({
      t,
      format,
      expiryText,
      inboundNames,
      planNames,
      onLedger,
      menuLabel: (email) => verb('menu', { email }),
    }),
    [t, verb, format, expiryText, inboundNames, planNames, onLedger],
  );
}
