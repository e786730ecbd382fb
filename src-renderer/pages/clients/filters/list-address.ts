import { useCallback, useMemo } from 'react';
import { endOfDayMs, localDay } from '../../../forms/dates/calendar-day.ts';
import { useAddressParams } from '../../../ui/address/use-address-params.ts';

const DEFAULT_SIZE = 25;
const GIB = 1024 ** 3;

/** Filters behind "More filters", as they stand in the address. */
export const MORE_FILTERS = [
  'inbound',
  'plan',
  'protocol',
  'expiryFrom',
  'expiryTo',
  'usageFrom',
  'usageTo',
  'autoRenew',
  'hasComment',
  'hasTgId',
] as const;
export type MoreFilter = (typeof MORE_FILTERS)[number];

/** What the list shows; lives in the URL. Days are `2026-01-31`, usage is in GiB, lists are joined by commas. */
export interface ListAddress extends Record<MoreFilter, string> {
  page: number;
  size: number;
  q: string;
  status: string;
  group: string;
  sort: string;
  order: string;
}

/** An address that filters nothing out. */
export const NO_FILTERS: Partial<ListAddress> = {
  q: '',
  status: '',
  group: '',
  ...Object.fromEntries(MORE_FILTERS.map((name) => [name, ''])),
};

export function readAddress(params: URLSearchParams): ListAddress {
  const whole = (name: string, fallback: number): number => {
    const value = Number(params.get(name) ?? fallback);
    return Number.isInteger(value) && value > 0 ? value : fallback;
  };
  const text = (name: string): string => params.get(name) ?? '';
  return {
    page: whole('page', 1),
    size: Math.min(whole('size', DEFAULT_SIZE), 200),
    q: text('q'),
    status: text('status'),
    group: text('group'),
    sort: text('sort'),
    order: text('order'),
    ...(Object.fromEntries(MORE_FILTERS.map((name) => [name, text(name)])) as Record<MoreFilter, string>),
  };
}

/** The filters of an address as the server's query, without the page. Days are whole days of the reader's own calendar. */
export function toQuery(address: ListAddress) {
  const { q, status, group, sort, order, inbound, plan, protocol, autoRenew, hasComment, hasTgId } = address;
  return {
    search: q,
    filter: status,
    group,
    sort,
    order,
    inbound,
    plan,
    protocol,
    autoRenew,
    hasComment,
    hasTgId,
    expiryFrom: msText(localDay(address.expiryFrom)?.getTime()),
    expiryTo: msText(endOfDayMs(address.expiryTo) + 999),
    usageFrom: toBytes(address.usageFrom),
    usageTo: toBytes(address.usageTo),
  };
}

/** Ms since the epoch as text, empty when it is no day. */
function msText(ms = Number.NaN): string {
  return Number.isNaN(ms) ? '' : String(ms);
}

function toBytes(gibibytes: string): string {
  const value = gibibytes === '' ? Number.NaN : Number(gibibytes);
  return Number.isFinite(value) && value >= 0 ? String(Math.round(value * GIB)) : '';
}

/** The address of the list and how to change it. Whatever changes the result starts again at page 1. */
export function useListAddress() {
  const [params, setParams] = useAddressParams();
  const address = useMemo(() => readAddress(params), [params]);
  const change = useCallback(
    (part: Partial<ListAddress>) =>
      // Back returns to the list before; what is being typed is no list of its own.
      setParams({ page: null, ...part }, { replace: 'q' in part }),
    [setParams],
  );
  return { address, change };
}
