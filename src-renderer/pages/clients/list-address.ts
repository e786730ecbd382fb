import { useCallback, useMemo } from 'react';
import { useSearchParams } from 'react-router';

const DEFAULT_SIZE = 25;

/** What the list shows; lives in the URL. */
export interface ListAddress {
  page: number;
  size: number;
  q: string;
  status: string;
  group: string;
  sort: string;
  order: string;
}

export function readAddress(params: URLSearchParams): ListAddress {
  const whole = (name: string, fallback: number): number => {
    const value = Number(params.get(name) ?? fallback);
    return Number.isInteger(value) && value > 0 ? value : fallback;
  };
  return {
    page: whole('page', 1),
    size: Math.min(whole('size', DEFAULT_SIZE), 200),
    q: params.get('q') ?? '',
    status: params.get('status') ?? '',
    group: params.get('group') ?? '',
    sort: params.get('sort') ?? '',
    order: params.get('order') ?? '',
  };
}

/** The filters of an address as the server's query, without the page. */
export function toQuery({ q, status, group, sort, order }: ListAddress) {
  return { search: q, filter: status, group, sort, order };
}

/** The address of the list and how to change it. Whatever changes the result starts again at page 1. */
export function useListAddress() {
  const [params, setParams] = useSearchParams();
  const address = useMemo(() => readAddress(params), [params]);
  const change = useCallback(
    (part: Partial<ListAddress>) =>
      setParams(
        (before) => {
          const next = new URLSearchParams(before);
          if (!('page' in part)) next.delete('page');
          for (const [key, value] of Object.entries(part)) {
            if (value === '') next.delete(key);
            else next.set(key, String(value));
          }
          return next;
        },
        { replace: true },
      ),
    [setParams],
  );
  return { address, change };
}
