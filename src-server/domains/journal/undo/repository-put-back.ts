import { sql } from 'kysely';
import { COUNTERS, TEMPLATE_SETTINGS, type CapturedTable } from '../../../store/journal/captured-tables.ts';
import { imageColumns, isRow, keyPart, typeOfColumn } from '../../../store/journal/images.ts';
import type { WriteTransaction } from '../../../store/open-store.ts';
import type { Db } from '../../../store/schema.ts';
import { clientItem, inScope, type Scope } from './scope.ts';
import { isMerged, isPutBack } from './repository-conflicts.ts';
import { textsIn } from '../../../store/dialect/each-json.ts';

/** As many as the triggers of the table keep. */
const MAX_KEY_CHANGES = 2_000;
const raw = (text: string) => sql.raw(text);
const was = (column: string): string => `CAST(json_extract(r.before, '$.${column}') AS ${typeOfColumn(column)})`;
const left = (column: string): string => `CAST(json_extract(r.after, '$.${column}') AS ${typeOfColumn(column)})`;
const isNamedIn = (side: 'before' | 'after', column: string): string =>
  `json_type(r.${side}, '$.${column}') IS NOT NULL`;

/**
 * Restores the old values of changed rows, and applies the difference to counters. One statement, however many rows.
 */
export async function putBackChanged(trx: WriteTransaction, table: CapturedTable, scope: Scope, nowMs: number) {
  const { name, values, sums = [], soft = [], carried = [] } = table;
  // Soft columns depend on each other: the flag and who set it.
  const isSoftAsLeft = soft
    .map((column) => `(json_type(r.after, '$.${column}') IS NULL OR ${left(column)} IS t.${column})`)
    .join(' AND ');
  const sets = [
    ...values.map((column) => {
      const condition = soft.includes(column)
        ? `${isNamedIn('before', column)} AND ${isSoftAsLeft}`
        : isNamedIn('before', column);
      return `${column} = CASE WHEN ${condition} THEN ${was(column)} ELSE t.${column} END`;
    }),
    ...sums.map((column) => `${column} = t.${column} + coalesce(${was(column)} - ${left(column)}, 0)`),
    ...(carried.includes('updatedAtMs') ? [`updatedAtMs = ${Math.trunc(nowMs)}`] : []),
  ];
  if (sets.length === 0) return;
  await sql`UPDATE ${raw(name)} AS t SET ${raw(sets.join(', '))} FROM journalRows AS r
    WHERE ${inScope(scope, name)} AND ${isPutBack(table)} AND r.before IS NOT NULL AND r.after IS NOT NULL
      AND ${raw(isRow(table, 't', 'r'))}`.execute(trx);
}

/** Restores deleted rows as they were, under their own keys. */
export async function putBackDeleted(trx: WriteTransaction, table: CapturedTable, scope: Scope): Promise<void> {
  const { name, keys, sums = [], isSide = false, parents = {}, later = {} } = table;
  const columns = imageColumns(table).filter((column) => !keys.includes(column));
  const cell = (column: string): string =>
    later[column] === undefined ? was(column) : `coalesce(${was(column)}, ${later[column]})`;
  const cells = [...keys.map((_key, at) => keyPart(table, at, 'r')), ...columns.map(cell)];
  const hasParents = isSide
    ? Object.entries(parents).map(
        ([column, parent]) =>
          sql` AND EXISTS (SELECT 1 FROM ${raw(parent)} AS p WHERE p.id = ${raw(keyPart(table, keys.indexOf(column), 'r'))})`,
      )
    : [];
  const added = sums.map((column) => `${column} = ${name}.${column} + excluded.${column}`).join(', ');
  const merged = isMerged(table)
    ? `ON CONFLICT (${keys.join(', ')}) DO UPDATE SET ${added}`
    : isSide
      ? 'ON CONFLICT DO NOTHING'
      : '';
  await sql`INSERT INTO ${raw(name)} (${raw([...keys, ...columns].join(', '))})
    SELECT ${raw(cells.join(', '))} FROM journalRows AS r
    WHERE ${inScope(scope, name)} AND ${isPutBack(table)} AND r.after IS NULL${sql.join(hasParents, sql``)}
    ${raw(merged)}`.execute(trx);
  if (name === 'clients') await noteSearchKeys(trx, scope);
}

/** A search that has looked since expects only larger ids. */
async function noteSearchKeys(trx: WriteTransaction, scope: Scope): Promise<void> {
  const last = sql`(SELECT coalesce(max(version), 0) FROM changedSearchKeys)`;
  await sql`INSERT INTO changedSearchKeys (version, clientId)
    SELECT ${last} + row_number() OVER (ORDER BY back.id), back.id
    FROM (SELECT CAST(r.rowKey AS INTEGER) AS id FROM journalRows AS r
      WHERE ${inScope(scope, 'clients')} AND r.after IS NULL) AS back`.execute(trx);
  await sql`DELETE FROM changedSearchKeys WHERE version <= ${last} - ${MAX_KEY_CHANGES}`.execute(trx);
}

/** Deletes added rows; traffic counted in them since stays in rows that others share by name. */
export async function takeAwayAdded(trx: WriteTransaction, table: CapturedTable, scope: Scope): Promise<void> {
  const { name, keys, sums = [], isSide = false } = table;
  if (isSide) return;
  const isAdded = sql`${inScope(scope, name)} AND ${isPutBack(table)} AND r.before IS NULL`;
  const isCounter = isMerged(table);
  if (isCounter)
    await sql`UPDATE ${raw(name)} AS t SET ${raw(sums.map((column) => `${column} = t.${column} - ${left(column)}`).join(', '))}
      FROM journalRows AS r WHERE ${isAdded} AND ${raw(isRow(table, 't', 'r'))}`.execute(trx);
  const isEmpty = isCounter ? sql` AND ${raw(sums.map((column) => `${column} = 0`).join(' AND '))}` : sql``;
  const cells = keys.map((_key, at) => keyPart(table, at, 'r')).join(', ');
  await sql`DELETE FROM ${raw(name)} WHERE (${raw(keys.join(', '))}) IN (SELECT ${raw(cells)} FROM journalRows AS r
    WHERE ${isAdded})${isEmpty}`.execute(trx);
}

/** Ids of clients that the entry added. */
export async function addedClients(db: Db, scope: Scope): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`SELECT CAST(r.rowKey AS INTEGER) AS id FROM journalRows AS r
    WHERE ${inScope(scope, 'clients')} AND r.before IS NULL`.execute(db);
  return rows.map(({ id }) => id);
}

/** Traffic of clients that the entry added, by group: it has to stay in the groups' totals. */
export async function movedSince(
  db: Db,
  scope: Scope,
): Promise<{ name: string; upBytes: number; downBytes: number }[]> {
  const { rows } = await sql<{ name: string; upBytes: number; downBytes: number }>`
    SELECT client.groupName AS name, sum(state.upBytes - ${raw(left('upBytes'))}) AS upBytes,
      sum(state.downBytes - ${raw(left('downBytes'))}) AS downBytes
    FROM journalRows AS r CROSS JOIN clients AS client ON client.id = CAST(r.rowKey AS INTEGER)
    CROSS JOIN clientStates AS state ON state.clientId = client.id
    WHERE ${inScope(scope, 'clientStates')} AND r.before IS NULL AND +client.groupName <> ''
    GROUP BY client.groupName`.execute(db);
  return rows.filter(({ upBytes, downBytes }) => upBytes !== 0 || downBytes !== 0);
}

/** Clients that are restored, with their former name. */
export async function deletedClients(db: Db, scope: Scope): Promise<{ clientId: number; email: string }[]> {
  const { rows } = await sql<{ clientId: number; email: string }>`
    SELECT CAST(r.rowKey AS INTEGER) AS clientId, ${raw(was('email'))} AS email FROM journalRows AS r
    WHERE ${inScope(scope, 'clients')} AND r.after IS NULL`.execute(db);
  return rows;
}

/** Clients that get a former name back. */
export async function renamedClients(db: Db, scope: Scope): Promise<{ clientId: number; from: string; to: string }[]> {
  const { rows } = await sql<{ clientId: number; from: string; to: string }>`
    SELECT CAST(r.rowKey AS INTEGER) AS clientId, ${raw(left('email'))} AS "from", ${raw(was('email'))} AS "to"
    FROM journalRows AS r WHERE ${inScope(scope, 'clients')} AND r.before IS NOT NULL AND r.after IS NOT NULL
      AND ${raw(isNamedIn('before', 'email'))}`.execute(db);
  return rows;
}

export interface CounterRow {
  clientId: number;
  /** Target values: the current ones plus what the entry took away. */
  upBytes: number;
  downBytes: number;
  source: 'reset' | 'manual' | 'opening';
}

/** Target values when manually set counters are undone. Clients that the entry added are left out. */
export async function countersBack(
  db: Db,
  scope: Scope,
  afterKey: string,
  limit: number,
): Promise<(CounterRow & { rowKey: string })[]> {
  const { rows } = await sql<CounterRow & { rowKey: string }>`
    SELECT r.rowKey, state.clientId, max(0, state.upBytes + ${raw(was('upBytes'))} - ${raw(left('upBytes'))}) AS upBytes,
      max(0, state.downBytes + ${raw(was('downBytes'))} - ${raw(left('downBytes'))}) AS downBytes, ${raw(was('source'))} AS source
    FROM journalRows AS r CROSS JOIN clientStates AS state ON state.clientId = CAST(r.rowKey AS INTEGER)
    WHERE ${inScope(scope, COUNTERS)} AND r.rowKey > ${afterKey}
      AND NOT EXISTS (SELECT 1 FROM journalRows AS own WHERE own.entryId = r.entryId AND own.tableName = 'clients'
        AND own.rowKey = r.rowKey AND own.before IS NULL)
    ORDER BY r.rowKey LIMIT ${limit}`.execute(db);
  return rows;
}

/** Enables clients disabled only by a limit if the old limit leaves room. */
export async function bringBackWithin(trx: WriteTransaction, scope: Scope, nowMs: number): Promise<void> {
  for (const table of ['clientStates', COUNTERS])
    await sql`UPDATE clientStates SET enable = 1, disabledBy = '' WHERE enable = 0 AND disabledBy = 'loop'
      AND (quotaBytes = 0 OR max(upBytes + downBytes, peerTotalBytes) < quotaBytes)
      AND (expiresAtMs <= 0 OR expiresAtMs > ${nowMs})
      AND clientId IN (SELECT CAST(r.rowKey AS INTEGER) FROM journalRows AS r
        WHERE ${inScope(scope, table)} AND r.before IS NOT NULL AND r.after IS NOT NULL
          AND (${raw(isNamedIn('before', 'quotaBytes'))} OR ${raw(isNamedIn('before', 'expiresAtMs'))}))`.execute(trx);
}

/** An attachment as it runs: open sessions survive only if it stays the same. */
export interface Place {
  inboundId: number;
  email: string;
  enable: 0 | 1;
  credentials: string;
}

const TABLES_OF_CLIENTS = ['clients', 'clientStates', 'clientInbounds'];

/** Current attachments of the clients in these rows. */
export async function placesOf(db: Db, scope: Scope): Promise<Place[]> {
  const ids = TABLES_OF_CLIENTS.map(
    (name) =>
      // A label alone does not affect anything running.
      sql`SELECT ${raw(clientItem(name)!)} AS id FROM journalRows AS r WHERE ${inScope(scope, name)}
        AND (r.before IS NULL OR r.after IS NULL OR json_remove(r.after, '$.groupName', '$.planId') <> '{}')`,
  );
  const { rows } = await sql<Place>`SELECT link.inboundId, client.email, state.enable,
      client.uuid || '/' || client.auth || '/' || iif(link.passwordOverride = '', client.password, link.passwordOverride) AS credentials
    FROM (${sql.join(ids, sql` UNION `)}) AS wanted
    CROSS JOIN clients AS client ON client.id = wanted.id
    CROSS JOIN clientStates AS state ON state.clientId = wanted.id
    CROSS JOIN clientInbounds AS link ON link.clientId = wanted.id`.execute(db);
  return rows;
}

/** Inbounds whose rows are restored, and those with a fallback to a change. */
export async function inboundsOf(db: Db, scope: Scope): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    SELECT CAST(r.rowKey AS INTEGER) AS id FROM journalRows AS r WHERE ${inScope(scope, 'inbounds')}
    UNION SELECT CAST(json_extract(coalesce(r.before, r.after), '$.masterId') AS INTEGER) FROM journalRows AS r
      WHERE ${inScope(scope, 'inboundFallbacks')} AND json_type(coalesce(r.before, r.after), '$.masterId') IS NOT NULL
    UNION SELECT fallback.masterId FROM journalRows AS r
      CROSS JOIN inboundFallbacks AS fallback ON fallback.id = CAST(r.rowKey AS INTEGER)
      WHERE ${inScope(scope, 'inboundFallbacks')}
    UNION SELECT fallback.masterId FROM journalRows AS r
      CROSS JOIN inboundFallbacks AS fallback ON fallback.childId = CAST(r.rowKey AS INTEGER)
      WHERE ${inScope(scope, 'inbounds')}`.execute(db);
  return rows.map(({ id }) => id);
}

/** Tags of inbounds that the undo takes away, with those that replace them; null = the inbound goes too. */
export async function movedTags(db: Db, scope: Scope): Promise<{ from: string; to: string | null }[]> {
  const { rows } = await sql<{ from: string; to: string | null }>`
    SELECT ${raw(left('tag'))} AS "from", ${raw(was('tag'))} AS "to" FROM journalRows AS r
    WHERE ${inScope(scope, 'inbounds')} AND r.after IS NOT NULL AND ${raw(isNamedIn('after', 'tag'))}
    ORDER BY r.rowKey`.execute(db);
  return rows;
}

/** Tables in which the entry has rows. */
export async function touchedTables(db: Db, { entryId }: Scope): Promise<Set<string>> {
  const { rows } = await sql<{ tableName: string }>`
    SELECT DISTINCT tableName FROM journalRows WHERE entryId = ${entryId}`.execute(db);
  return new Set(rows.map(({ tableName }) => tableName));
}

/** Whether the entry changed what the core's config is made from. */
export async function touchesTemplate(db: Db, { entryId }: Scope): Promise<boolean> {
  const { rows } = await sql`SELECT 1 FROM journalRows WHERE entryId = ${entryId} AND tableName = 'settings'
    AND rowKey IN ${textsIn(JSON.stringify(TEMPLATE_SETTINGS))}`.execute(db);
  return rows.length > 0;
}
