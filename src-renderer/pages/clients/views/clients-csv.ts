import type { SlimClientRow } from '#contract/clients/list';
import type { Caller } from '../../../api/transport-context.tsx';
import { csvText, csvTime } from '../../../ui/csv/csv.ts';
import type { ListAddress } from '../filters/list-address.ts';
import { asCreated, readPages } from '../list/read-pages.ts';

const HEAD = [
  'email',
  'enabled',
  'group',
  'plan_id',
  'quota_bytes',
  'up_bytes',
  'down_bytes',
  'expires',
  'first_use_days',
  'renewal_days',
  'renewal_day_of_month',
  'address_limit',
  'inbound_ids',
  'comment',
  'last_online',
  'created',
  'changed',
];
const DAY_MS = 86_400_000;

/** Clients as a spreadsheet takes them; times in UTC, sizes in bytes. */
export function clientsCsv(rows: readonly SlimClientRow[]): string {
  return csvText([
    HEAD,
    ...rows.map((row) => [
      row.email,
      row.enable ? 1 : 0,
      row.group,
      row.planId || '',
      row.totalGB,
      row.traffic.up,
      row.traffic.down,
      csvTime(row.expiryTime),
      row.expiryTime < 0 ? Math.ceil(-row.expiryTime / DAY_MS) : '',
      row.reset || '',
      row.resetDay || '',
      row.limitIp || '',
      row.inboundIds.join(' '),
      row.comment,
      csvTime(row.lastOnline),
      csvTime(row.createdAt),
      csvTime(row.updatedAt),
    ]),
  ]);
}

/**
 * The rows that match an address, each once and in its order: all of them, or those named until all are found.
 * @param onProgress told how many of how many were looked at
 */
export async function readRows(
  call: Caller,
  address: ListAddress,
  names: ReadonlySet<string> | null,
  onProgress: (done: number, of: number) => void,
): Promise<SlimClientRow[]> {
  const rows = new Map<string, SlimClientRow>();
  const read = async (order: ListAddress): Promise<boolean> => {
    let wanted = 0;
    for await (const { items, done, of } of readPages(call, order)) {
      for (const row of items) if (names?.has(row.email) !== false) rows.set(row.email, row);
      onProgress(done, of);
      wanted = names?.size ?? of;
      // Of all that match, some of those read may have left: the last ones are still to come.
      if (names !== null && rows.size >= wanted) break;
    }
    return rows.size >= wanted;
  };
  // What moved while the pages were read is added at the end.
  if (!(await read(address)) && address.sort !== '') await read(asCreated(address));
  return [...rows.values()];
}
