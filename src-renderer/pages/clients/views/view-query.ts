import { MORE_FILTERS, NO_FILTERS, type ListAddress } from '../filters/list-address.ts';

/** What of an address a view keeps: filters and order, not the page. */
const KEPT = ['q', 'status', 'group', 'sort', 'order', ...MORE_FILTERS] as const;

export function queryOf(address: ListAddress): Record<string, string> {
  return Object.fromEntries(KEPT.flatMap((name) => (address[name] === '' ? [] : [[name, address[name]]])));
}

/** The change of the address that shows a view, whatever was chosen before. Unknown names are passed over. */
export function changeTo(query: Readonly<Record<string, string>>): Partial<ListAddress> {
  const kept = Object.fromEntries(KEPT.flatMap((name) => (query[name] === undefined ? [] : [[name, query[name]]])));
  return { ...NO_FILTERS, sort: '', order: '', ...kept };
}
