import type { CountedInbound } from '#contract/inbounds';
import { kindOf, nameOf } from './inbound-kind.ts';

/** Sort keys of the list. */
export const SORTS = ['remark', 'kind', 'port', 'clients', 'traffic'] as const;
export type InboundSort = (typeof SORTS)[number];

/** Filters and order of the list; kept in the URL. Empty = no choice. */
export interface InboundChoice {
  /** Part of the name, tag, port or kind. */
  q: string;
  protocol: string;
  /** `on`, `off` or `notRunning`. */
  state: string;
  sort: string;
  order: string;
}

type Order = (a: CountedInbound, b: CountedInbound) => number;
const ORDERS: Readonly<Record<InboundSort, Order>> = {
  remark: (a, b) => nameOf(a).localeCompare(nameOf(b), undefined, { numeric: true }),
  kind: (a, b) => kindOf(a).join(' ').localeCompare(kindOf(b).join(' ')),
  port: (a, b) => a.port - b.port,
  clients: (a, b) => a.clientCount - b.clientCount,
  traffic: (a, b) => a.up + a.down - b.up - b.down,
};

/** The filtered inbounds in the chosen order; equal ones keep the panel's order. */
export function shownInbounds(
  rows: readonly CountedInbound[],
  { q, protocol, state, sort, order }: InboundChoice,
  isLeftOut: (row: CountedInbound) => boolean,
): CountedInbound[] {
  const words = q.toLowerCase().split(/\s+/).filter(Boolean);
  const chosen = rows.filter((row) => {
    if (protocol !== '' && row.protocol !== protocol) return false;
    if (state === 'on' && !row.enable) return false;
    if (state === 'off' && row.enable) return false;
    if (state === 'notRunning' && !isLeftOut(row)) return false;
    const text = [row.remark, row.tag, row.listen, row.port, ...kindOf(row)].join(' ').toLowerCase();
    return words.every((word) => text.includes(word));
  });
  const by = ORDERS[sort as InboundSort] as Order | undefined;
  if (by === undefined) return chosen;
  return chosen.sort(order === 'descend' ? (a, b) => by(b, a) : by);
}
