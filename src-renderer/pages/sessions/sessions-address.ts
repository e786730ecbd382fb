import { useMemo } from 'react';
import { useAddressParams } from '../../ui/address/use-address-params.ts';

const TEXTS = ['q', 'guid', 'inbound', 'sort', 'order'] as const;

/** Filters of the list; kept in the URL. Empty = no choice. */
export interface SessionsAddress extends Record<(typeof TEXTS)[number], string> {
  page: number;
}

/** The filters in the address and how to change them. Any change of the result returns to page 1. */
export function useSessionsAddress() {
  const [params, setParams] = useAddressParams();
  const address = useMemo<SessionsAddress>(() => {
    const page = Number(params.get('page') ?? 1);
    const texts = Object.fromEntries(TEXTS.map((name) => [name, params.get(name) ?? '']));
    return { ...(texts as Omit<SessionsAddress, 'page'>), page: Number.isInteger(page) && page > 0 ? page : 1 };
  }, [params]);
  const change = (part: Partial<SessionsAddress>): void =>
    setParams({ ...part, page: part.page === 1 ? null : part.page }, { replace: 'q' in part });
  return { address, change };
}

/** The filters in the server's terms. */
export const filterOf = ({ q, guid, inbound }: SessionsAddress) => ({ q, guid, inbound: Number(inbound) || 0 });
