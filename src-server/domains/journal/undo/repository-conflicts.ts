import { sql, type RawBuilder } from 'kysely';
import { CAPTURED, COUNTERS, NOTED_SETTINGS, type CapturedTable } from '../../../store/journal/captured-tables.ts';
import { isRow, rowKeyOf, typeOfColumn } from '../../../store/journal/images.ts';
import type { Db } from '../../../store/schema.ts';
import { inScope, parentKey, type Scope } from './scope.ts';
import { textsIn } from '../../../store/dialect/each-json.ts';

/**
 * Why a row cannot be restored. `blocking…` is the row in the way: one that was changed, deleted, added or attached
 * since.
 */
export interface Conflict {
  reason: 'changed' | 'gone' | 'taken' | 'counted' | 'parentGone' | 'parentApart' | 'dependent';
  /** Row of the entry. */
  tableName: string;
  rowKey: string;
  /** Row by which to look for a later entry. */
  blockingTable: string;
  blockingKey: string;
  /** The later entry, where it is known already. */
  laterId?: number;
}

/** At most this many are returned; one is enough to refuse. */
const MAX_CONFLICTS = 50;
/** Columns whose values must be unique. */
const UNIQUE: readonly (readonly [table: string, column: string])[] = [
  ['clients', 'emailKey'],
  ['clients', 'subId'],
  ['inbounds', 'tag'],
  ['clientPlans', 'nameKey'],
];

/** Tables whose rows are restored. */
export const UNDOABLE: readonly CapturedTable[] = CAPTURED.filter(({ isNoted }) => isNoted !== true);
/** A named row that holds only counters: the first client that needs it creates it, and all of them add to it. */
export const isMerged = ({ isNamed = false, sums = [], values }: CapturedTable): boolean =>
  isNamed && sums.length > 0 && values.length === 0;
const raw = (text: string) => sql.raw(text);
const present = (column: string): string => `json_type(r.after, '$.${column}') IS NOT NULL`;

/** Settings that require a proof to change are left alone. */
export const isPutBack = (table: CapturedTable): RawBuilder<unknown> =>
  table.name === 'settings' ? sql`r.rowKey NOT IN ${textsIn(JSON.stringify(NOTED_SETTINGS))}` : sql`true`;

/** Everything that prevents an undo, in any order; empty = nothing. */
export async function conflictsOf(db: Db, scope: Scope): Promise<Conflict[]> {
  const found: Conflict[] = [];
  const collect = async (query: RawBuilder<Conflict>): Promise<void> => {
    if (found.length < MAX_CONFLICTS) found.push(...(await query.execute(db)).rows);
  };
  for (const table of UNDOABLE) {
    if (table.isSide === true) continue;
    await collect(changedSince(table, scope));
    if (!isMerged(table)) await collect(takenSince(table, scope));
    for (const [column, marked] of Object.entries(table.marks ?? {}))
      await collect(dependents(table, column, marked, scope));
    for (const [parentColumn, parent] of Object.entries(table.parents ?? {})) {
      await collect(parentGone(table, parentColumn, parent, scope));
      // A client's mail stop is removed along with the client.
      if (table.name !== 'clientMailStops') await collect(dependents(table, parentColumn, parent, scope));
    }
  }
  for (const [table, column] of UNIQUE) await collect(sameElsewhere(table, column, scope));
  await collect(countedSince(scope, 'clientStates', 'client'));
  await collect(countedSince(scope, 'inbounds', 'inbound'));
  await collect(sql<Conflict>`SELECT 'gone' AS reason, r.tableName, r.rowKey, 'clients' AS blockingTable, r.rowKey AS blockingKey
    FROM journalRows AS r WHERE ${inScope(scope, COUNTERS)}
    AND NOT EXISTS (SELECT 1 FROM clientStates WHERE clientId = CAST(r.rowKey AS INTEGER)) LIMIT ${MAX_CONFLICTS}`);
  // Manual settings build on earlier ones: first the counters, then the point from which a group counts.
  await collect(setAgain(scope, COUNTERS, sql`true`));
  const isGroupReset = sql`verb LIKE '%/groups/resetTraffic'`;
  await collect(setAgain(scope, 'clientGroups', isGroupReset));
  return found;
}

function setAgain({ entryId, only }: Scope, tableName: string, isSetting: RawBuilder<unknown>): RawBuilder<Conflict> {
  return sql<Conflict>`SELECT 'changed' AS reason, r.tableName, r.rowKey, r.tableName AS blockingTable, r.rowKey AS blockingKey
    FROM journalRows AS r WHERE ${inScope({ entryId }, tableName)} AND ${only === undefined ? sql`true` : sql`false`}
      AND (SELECT ${isSetting} FROM journal WHERE id = ${entryId})
      AND EXISTS (SELECT 1 FROM journal AS entry CROSS JOIN journalRows AS other ON other.entryId = entry.id
        AND other.tableName = r.tableName AND other.rowKey = r.rowKey
        WHERE ${isInForce(entryId)} AND ${isSetting}) LIMIT ${MAX_CONFLICTS}`;
}

/** Later entries in force: an undo and the entry it undid cancel out, unless the latter was earlier. */
const isInForce = (entryId: number): RawBuilder<unknown> =>
  sql`entry.id > ${entryId} AND entry.undoneBy = 0 AND (entry.undoOf = 0 OR entry.undoOf < ${entryId})`;

/** A row that the entry changed or added is gone, or differs from what the entry left. */
function changedSince(table: CapturedTable, scope: Scope): RawBuilder<Conflict> {
  const { name, keys, values, soft = [], softWhen = 'true' } = table;
  const differences = values.map((column) => {
    const isOther = `${present(column)} AND CAST(json_extract(r.after, '$.${column}') AS ${typeOfColumn(column)}) IS NOT t.${column}`;
    return `(${isOther}${soft.includes(column) ? ` AND NOT (${softWhen})` : ''})`;
  });
  const isGone = `t.${keys[0]} IS NULL`;
  return sql<Conflict>`SELECT iif(${raw(isGone)}, 'gone', 'changed') AS reason, r.tableName, r.rowKey,
      r.tableName AS blockingTable, r.rowKey AS blockingKey
    FROM journalRows AS r LEFT JOIN ${raw(name)} AS t ON ${raw(isRow(table, 't', 'r'))}
    WHERE ${inScope(scope, name)} AND ${isPutBack(table)} AND r.after IS NOT NULL
      AND (${raw([isGone, ...differences].join(' OR '))}) LIMIT ${MAX_CONFLICTS}`;
}

/** A row that the entry deleted exists again. */
function takenSince(table: CapturedTable, scope: Scope): RawBuilder<Conflict> {
  return sql<Conflict>`SELECT 'taken' AS reason, r.tableName, r.rowKey, r.tableName AS blockingTable, r.rowKey AS blockingKey
    FROM journalRows AS r CROSS JOIN ${raw(table.name)} AS t ON ${raw(isRow(table, 't', 'r'))}
    WHERE ${inScope(scope, table.name)} AND ${isPutBack(table)} AND r.after IS NULL LIMIT ${MAX_CONFLICTS}`;
}

/** Restored and deleted again, the row had other counters: only the later deletion has them. */
function countedSince(scope: Scope, tableName: string, kind: 'client' | 'inbound'): RawBuilder<Conflict> {
  const isOther = ['upBytes', 'downBytes'].map(
    (column) =>
      `CAST(json_extract(r.before, '$.${column}') AS INTEGER) <> CAST(json_extract(last.before, '$.${column}') AS INTEGER)`,
  );
  return sql<Conflict>`SELECT 'counted' AS reason, r.tableName, r.rowKey, r.tableName AS blockingTable, r.rowKey AS blockingKey,
      last.entryId AS "laterId"
    FROM journalRows AS r CROSS JOIN recycleBin AS bin ON bin.kind = ${kind} AND bin.itemId = CAST(r.rowKey AS INTEGER)
    CROSS JOIN journalRows AS last ON last.entryId = bin.entryId AND last.tableName = r.tableName AND last.rowKey = r.rowKey
    WHERE ${inScope(scope, tableName)} AND r.after IS NULL AND last.entryId > r.entryId AND last.after IS NULL
      AND (${raw(isOther.join(' OR '))}) LIMIT ${MAX_CONFLICTS}`;
}

/** Something else uses the unique name. */
function sameElsewhere(table: string, column: string, scope: Scope): RawBuilder<Conflict> {
  const was = raw(`json_extract(r.before, '$.${column}')`);
  return sql<Conflict>`SELECT 'taken' AS reason, r.tableName, r.rowKey, ${table} AS blockingTable, CAST(t.id AS TEXT) AS blockingKey
    FROM journalRows AS r CROSS JOIN ${raw(table)} AS t ON t.${raw(column)} = ${was}
    WHERE ${inScope(scope, table)} AND r.before IS NOT NULL AND ${was} <> ''
      AND t.id <> CAST(r.rowKey AS INTEGER)
      AND NOT EXISTS (SELECT 1 FROM journalRows AS own WHERE own.entryId = r.entryId AND own.tableName = r.tableName
        AND own.rowKey = CAST(t.id AS TEXT) AND own.after IS NOT NULL) LIMIT ${MAX_CONFLICTS}`;
}

/** Single clients or hosts are restored without their inbounds. */
const isParentIn = ({ only }: Scope, parent: string): boolean =>
  only === undefined || (only.kind === 'client' && parent === 'clients');

/** The parent of a deleted row is gone, and is not restored along with it. */
function parentGone(table: CapturedTable, column: string, parent: string, scope: Scope): RawBuilder<Conflict> {
  const key = raw(parentKey(table, column));
  const isDeletedToo = sql`EXISTS (SELECT 1 FROM journalRows AS own WHERE own.entryId = r.entryId AND own.tableName = ${parent}
        AND own.rowKey = CAST(${key} AS TEXT) AND own.after IS NULL)`;
  const isRestoredToo = isParentIn(scope, parent) ? isDeletedToo : sql`false`;
  return sql<Conflict>`SELECT iif(${isDeletedToo}, 'parentApart', 'parentGone') AS reason, r.tableName, r.rowKey,
      ${parent} AS blockingTable, CAST(${key} AS TEXT) AS blockingKey
    FROM journalRows AS r WHERE ${inScope(scope, table.name)} AND r.after IS NULL AND ${key} <> 0
      AND NOT EXISTS (SELECT 1 FROM ${raw(parent)} AS p WHERE p.id = ${key})
      AND NOT ${isRestoredToo} LIMIT ${MAX_CONFLICTS}`;
}

/** Something was attached later to a row that the entry added. */
function dependents(table: CapturedTable, column: string, parent: string, scope: Scope): RawBuilder<Conflict> {
  return sql<Conflict>`SELECT 'dependent' AS reason, r.tableName, r.rowKey, ${table.name} AS blockingTable,
      ${raw(rowKeyOf(table, 't'))} AS blockingKey
    FROM journalRows AS r CROSS JOIN ${raw(table.name)} AS t ON t.${raw(column)} = CAST(r.rowKey AS INTEGER)
    WHERE ${inScope(scope, parent)} AND r.before IS NULL
      AND NOT EXISTS (SELECT 1 FROM journalRows AS own WHERE own.entryId = r.entryId AND own.tableName = ${table.name}
        AND own.rowKey = ${raw(rowKeyOf(table, 't'))} AND (own.before IS NULL OR json_type(own.after, ${raw(`'$.${column}'`)}) IS NOT NULL)) LIMIT ${MAX_CONFLICTS}`;
}

/** The first later entry in force that touched this row; undefined = the panel itself changed it. */
export async function laterEntry(
  db: Db,
  entryId: number,
  { blockingTable, blockingKey }: Pick<Conflict, 'blockingTable' | 'blockingKey'>,
): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`SELECT entry.id FROM journal AS entry
    WHERE ${isInForce(entryId)} AND EXISTS (SELECT 1 FROM journalRows AS r
      WHERE r.entryId = entry.id AND r.tableName = ${blockingTable} AND r.rowKey = ${blockingKey})
    ORDER BY entry.id DESC LIMIT 1`.execute(db);
  return rows[0]?.id;
}
