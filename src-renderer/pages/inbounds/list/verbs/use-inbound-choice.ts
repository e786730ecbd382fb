import { useMemo } from 'react';
import type { InboundChoice } from '../shown-inbounds.ts';
import { useAddressParams } from '../../../../ui/address/use-address-params.ts';

const NAMES = ['q', 'protocol', 'state', 'sort', 'order'] as const;

/** The filters in the page's address, and how to change them. */
export function useInboundChoice() {
  const [params, setParams] = useAddressParams();
  const choice = useMemo(
    () =>
      Object.fromEntries(NAMES.map((name) => [name, params.get(name) ?? ''])) as Record<keyof InboundChoice, string>,
    [params],
  );
  const choose = (part: Partial<InboundChoice>): void => setParams({ ...part }, { replace: true });
  return { choice, choose };
}
