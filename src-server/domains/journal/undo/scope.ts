import { sql, type RawBuilder } from 'kysely';
import type { CapturedTable } from '../../../store/journal/captured-tables.ts';
import { COUNTERS } from '../../../store/journal/captured-tables.ts';
import { numbersIn } from '../../../store/dialect/each-json.ts';

/** Rows of an entry to undo: all, or those of deleted clients or hosts that are restored alone. */
export interface Scope {
  entryId: number;
  only?: { kind: 'client' | 'host'; ids: readonly number[] };
}

const NOTHING = sql`false`;

/** SQL condition over `journalRows AS r`. */
export function inScope({ entryId, only }: Scope, tableName: string): RawBuilder<unknown> {
  const whole = sql`r.entryId = ${entryId} AND r.tableName = ${tableName}`;
  if (only === undefined) return whole;
  const ids = numbersIn(JSON.stringify(only.ids));
  const item = only.kind === 'host' ? hostItem(tableName) : clientItem(tableName);
  if (tableName === 'keptTraffics' && only.kind === 'client')
    return sql`${whole} AND r.rowKey IN (SELECT json_extract(before, '$.emailKey') FROM journalRows
      WHERE entryId = ${entryId} AND tableName = 'clients' AND CAST(rowKey AS INTEGER) IN ${ids})`;
  if (item === null) return NOTHING;
  return sql`${whole} AND r.after IS NULL AND ${sql.raw(item)} IN ${ids}`;
}

const hostItem = (tableName: string): string | null => (tableName === 'hosts' ? 'CAST(r.rowKey AS INTEGER)' : null);

/** SQL for the client that a row belongs to; null for tables without clients. */
export function clientItem(tableName: string): string | null {
  switch (tableName) {
    case 'clients':
    case 'clientStates':
    case 'clientMailStops':
    case COUNTERS:
      return 'CAST(r.rowKey AS INTEGER)';
    case 'clientInbounds':
      return `CAST(json_extract(r.rowKey, '$[0]') AS INTEGER)`;
    case 'peerTotals':
      return `CAST(json_extract(r.rowKey, '$[1]') AS INTEGER)`;
    case 'clientExternalLinks':
      return `CAST(json_extract(coalesce(r.before, r.after), '$.clientId') AS INTEGER)`;
    default:
      return null;
  }
}

/** SQL for the parent's key in a deleted row. @param column named in `parents` */
export function parentKey({ keys }: CapturedTable, column: string): string {
  const at = keys.indexOf(column);
  if (at < 0) return `CAST(json_extract(r.before, '$.${column}') AS INTEGER)`;
  return keys.length === 1 ? 'CAST(r.rowKey AS INTEGER)' : `CAST(json_extract(r.rowKey, '$[${at}]') AS INTEGER)`;
}
