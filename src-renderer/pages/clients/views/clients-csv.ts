import type { SlimClientRow } from '#contract/clients/list';
import { listClientsPaged } from '#contract/clients/list';
import type { useCall } from '../../../api/transport-context.tsx';
import { csvText, csvTime } from '../../../ui/csv.ts';
import { toQuery, type ListAddress } from '../filters/list-address.ts';

const PAGE_SIZE = 200;
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
 * The rows that match an address, a page at a time: all of them, or those named until all are found.
 * @param onProgress told how many of how many were looked at
 */
export async function readRows(
  call: ReturnType<typeof useCall>,
  address: ListAddress,
  names: ReadonlySet<string> | null,
  onProgress: (done: number, of: number) => void,
): Promise<SlimClientRow[]> {
  const rows: SlimClientRow[] = [];
  for (let page = 1; ; page++) {
    const query = { ...toQuery(address), page: String(page), pageSize: String(PAGE_SIZE) };
    const { items, filtered } = await call(listClientsPaged, { query });
    rows.push(...(names === null ? items : items.filter(({ email }) => names.has(email))));
    onProgress(Math.min(page * PAGE_SIZE, filtered), filtered);
    if (page * PAGE_SIZE >= filtered || items.length === 0 || rows.length === names?.size) return rows;
  }
}
