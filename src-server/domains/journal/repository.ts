import { sql, type RawBuilder } from 'kysely';
import type { WriteTransaction } from '../../store/open-store.ts';
import { openEntryId } from '../../store/dialect/open-entry-id.ts';
import { foldText } from '../../store/fold-text.ts';
import type { Db, Row } from '../../store/schema.ts';
import type { BinKind, JournalQuery } from './contract.ts';
import { eachText, numbersIn } from '../../store/dialect/each-json.ts';

/** An entry as it is stored. */
export type EntryRow = Row<'journal'>;

export interface ChangedRow {
  tableName: string;
  rowKey: string;
  before: string | null;
  after: string | null;
}

/**
 * What a text in lower case is searched for. Both databases know the case of ASCII letters only, so other letters are
 * tried in the spellings that names usually have.
 */
function spellingsOf(search: string): string[] {
  const lower = search.toLowerCase();
  if (!/[^\x20-\x7e]/.test(search)) return [lower];
  const titled = lower.replaceAll(/(?<!\p{L})\p{L}/gu, (letter) => letter.toUpperCase());
  const spellings = [search, lower, search.toUpperCase(), titled];
  return [...new Set(spellings.map((text) => text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())))];
}

const holdsAny = (text: RawBuilder<unknown>, spellings: readonly string[]): RawBuilder<unknown> =>
  sql.join(
    spellings.map((spelling) => sql`instr(lower(${text}), ${spelling}) > 0`),
    sql` OR `,
  );

function matches({ actor, kind, search, from, to, requestId }: JournalQuery): RawBuilder<unknown> {
  const conditions: RawBuilder<unknown>[] = [sql`true`];
  if (actor !== '') conditions.push(sql`actor = ${actor}`);
  if (kind !== '') conditions.push(sql`instr(parts, ${`"kind":"${kind}"`}) > 0`);
  if (from > 0) conditions.push(sql`atMs >= ${from}`);
  if (to > 0) conditions.push(sql`atMs <= ${to}`);
  if (requestId !== '') conditions.push(sql`requestId = ${requestId} AND requestId <> ''`);
  const wanted = search.trim();
  if (wanted !== '') {
    const spellings = spellingsOf(wanted);
    const inParts = spellings.map((text) => JSON.stringify(text).slice(1, -1));
    conditions.push(
      // If an entry has many things, a search finds each by its full name only.
      sql`(${holdsAny(sql`parts`, inParts)} OR ${holdsAny(sql`name`, spellings)}
        OR ${holdsAny(sql`address`, spellings)} OR ${holdsAny(sql`verb`, spellings)}
        OR EXISTS (SELECT 1 FROM clients AS client CROSS JOIN journalRows AS r ON r.entryId = journal.id
          AND r.tableName IN ('clients', 'clientStates', 'clientCounters') AND r.rowKey = CAST(client.id AS TEXT)
          WHERE client.emailKey = ${foldText(wanted)}))`,
    );
  }
  return sql.join(conditions, sql` AND `);
}

/** Newest first. */
export async function entriesOf(db: Db, query: JournalQuery, before: number, limit: number): Promise<EntryRow[]> {
  const { rows } = await sql<EntryRow>`SELECT * FROM journal WHERE ${matches(query)}
    AND id < ${before > 0 ? before : Number.MAX_SAFE_INTEGER} ORDER BY id DESC LIMIT ${limit}`.execute(db);
  return rows;
}

export async function entryById(db: Db, id: number): Promise<EntryRow | undefined> {
  const { rows } = await sql<EntryRow>`SELECT * FROM journal WHERE id = ${id}`.execute(db);
  return rows[0];
}

/** Rows of an entry by table and key. */
export async function rowsOf(db: Db, entryId: number, skip: number, limit: number): Promise<ChangedRow[]> {
  const { rows } = await sql<ChangedRow>`SELECT tableName, rowKey, before, after FROM journalRows
    WHERE entryId = ${entryId} ORDER BY tableName, rowKey LIMIT ${limit} OFFSET ${skip}`.execute(db);
  return rows;
}

/** Rows of an entry in some tables. */
export async function rowsIn(db: Db, entryId: number, tableName: string): Promise<ChangedRow[]> {
  const { rows } = await sql<ChangedRow>`SELECT tableName, rowKey, before, after FROM journalRows
    WHERE entryId = ${entryId} AND tableName = ${tableName} ORDER BY rowKey`.execute(db);
  return rows;
}

const LIVE_NAMES = {
  client: sql`SELECT id, email AS name FROM clients`,
  inbound: sql`SELECT id, iif(remark = '', tag, remark) AS name FROM inbounds`,
  plan: sql`SELECT id, name FROM clientPlans`,
};

/** Current names of things, or the last names of deleted ones. @param ids by kind */
export async function namesOf(
  db: Db,
  kind: 'client' | 'inbound' | 'plan',
  ids: readonly number[],
): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map();
  const list = JSON.stringify(ids);
  const live = sql`${LIVE_NAMES[kind]} WHERE id IN ${numbersIn(list)}`;
  const { rows } = await sql<{ id: number; name: string }>`SELECT itemId AS id, name FROM recycleBin
    WHERE kind = ${kind} AND itemId IN ${numbersIn(list)} UNION ALL ${live}`.execute(db);
  return new Map(rows.map(({ id, name }) => [id, name]));
}

export interface BinRow {
  kind: BinKind;
  itemId: number;
  name: string;
  entryId: number;
  deletedAtMs: number;
}

export async function binPage(
  db: Db,
  query: { kind: BinKind | ''; search: string; skip: number; limit: number },
): Promise<{ items: BinRow[]; total: number }> {
  const holds = holdsAny(sql`name`, spellingsOf(query.search.trim()));
  const isWanted = sql`(${query.kind} = '' OR kind = ${query.kind}) AND (${holds})`;
  const { rows } = await sql<BinRow>`SELECT * FROM recycleBin WHERE ${isWanted}
    ORDER BY deletedAtMs DESC, kind DESC, itemId DESC LIMIT ${query.limit} OFFSET ${query.skip}`.execute(db);
  const counted = await sql<{ n: number }>`SELECT count(*) AS n FROM recycleBin WHERE ${isWanted}`.execute(db);
  return { items: rows, total: counted.rows[0]?.n ?? 0 };
}

export async function binItems(db: Db, kind: BinKind, ids: readonly number[]): Promise<BinRow[]> {
  const { rows } = await sql<BinRow>`SELECT * FROM recycleBin
    WHERE kind = ${kind} AND itemId IN ${numbersIn(JSON.stringify(ids))}`.execute(db);
  return rows;
}

/** How many of a kind an entry deleted, and how many of these are still in the bin. */
export async function binCounts(db: Db, entryId: number): Promise<{ deleted: number; waiting: number }> {
  const { rows } = await sql<{ deleted: number; waiting: number }>`SELECT
    (SELECT count(*) FROM journalRows WHERE entryId = ${entryId} AND after IS NULL
      AND tableName IN ('clients', 'inbounds', 'hosts')) AS deleted,
    (SELECT count(*) FROM recycleBin WHERE entryId = ${entryId}) AS waiting`.execute(db);
  return rows[0]!;
}

export async function markPartlyRestored(trx: WriteTransaction, entryId: number): Promise<void> {
  await trx.updateTable('journal').set({ isPartlyRestored: 1 }).where('id', '=', entryId).execute();
}

const OF_CLIENT = `CASE tableName
  WHEN 'clients' THEN rowKey WHEN 'clientStates' THEN rowKey WHEN 'clientCounters' THEN rowKey WHEN 'clientMailStops' THEN rowKey
  WHEN 'clientInbounds' THEN CAST(json_extract(rowKey, '$[0]') AS TEXT)
  WHEN 'peerTotals' THEN CAST(json_extract(rowKey, '$[1]') AS TEXT)
  WHEN 'clientExternalLinks' THEN CAST(json_extract(coalesce(before, after), '$.clientId') AS TEXT) END`;
const OF_INBOUND = `CASE tableName WHEN 'inbounds' THEN rowKey
  WHEN 'inboundFallbacks' THEN CAST(json_extract(coalesce(before, after), '$.masterId') AS TEXT)
  WHEN 'clientInbounds' THEN CAST(json_extract(rowKey, '$[1]') AS TEXT)
  WHEN 'clientPlanInbounds' THEN CAST(json_extract(rowKey, '$[1]') AS TEXT)
  WHEN 'hosts' THEN CAST(json_extract(coalesce(before, after), '$.inboundId') AS TEXT) END`;
const OF_CHILD = `CASE tableName WHEN 'inboundFallbacks' THEN CAST(json_extract(coalesce(before, after), '$.childId') AS TEXT) END`;
const OF_HOST = `CASE tableName WHEN 'hosts' THEN rowKey END`;

/**
 * Erases these items from all entries and from the bin.
 * @returns entries whose rows are no longer complete
 */
export async function eraseItems(trx: WriteTransaction, kind: BinKind, ids: readonly number[]): Promise<number[]> {
  const list = JSON.stringify(ids);
  const items = kind === 'client' ? [OF_CLIENT] : kind === 'inbound' ? [OF_INBOUND, OF_CHILD] : [OF_HOST];
  const erased = items.map((item) => sql`${sql.raw(item)} IN (SELECT CAST(value AS TEXT) FROM ${eachText(list)})`);
  const { rows } = await sql<{ entryId: number }>`DELETE FROM journalRows
    WHERE ${sql.join(erased, sql` OR `)} RETURNING entryId`.execute(trx);
  await sql`DELETE FROM recycleBin WHERE kind = ${kind} AND itemId IN ${numbersIn(list)}`.execute(trx);
  // Its hosts are erased with an inbound.
  await sql`DELETE FROM recycleBin WHERE kind = 'host' AND NOT EXISTS (SELECT 1 FROM journalRows AS r
    WHERE r.entryId = recycleBin.entryId AND r.tableName = 'hosts' AND r.rowKey = CAST(recycleBin.itemId AS TEXT))`.execute(
    trx,
  );
  return [...new Set(rows.map(({ entryId }) => entryId))];
}

/** These entries can no longer be undone as a whole, and their rows no longer match their hash. */
export async function markErased(trx: WriteTransaction, entryIds: readonly number[]): Promise<void> {
  await sql`UPDATE journal SET erasedBy = coalesce(${openEntryId}, -1)
    WHERE erasedBy = 0 AND id IN ${numbersIn(JSON.stringify(entryIds))}`.execute(trx);
}

/**
 * Deletes entries before a time, oldest first, with their rows and bin items; the hash of the last of them becomes the
 * new start of the chain.
 * @returns whether more are due
 */
export async function pruneEntries(trx: WriteTransaction, beforeMs: number, most: number): Promise<boolean> {
  const { rows } = await sql<{ id: number; hash: string; rowCount: number }>`SELECT id, hash, rowCount FROM journal
    WHERE id < coalesce((SELECT min(id) FROM journal WHERE atMs >= ${beforeMs}), 9007199254740991)
    ORDER BY id LIMIT 50`.execute(trx);
  // A single entry may be larger than a slice: its rows are deleted first.
  const [first] = rows;
  if (first === undefined) return false;
  const due = [];
  let left = most;
  for (const row of rows) {
    if (due.length > 0 && row.rowCount > left) break;
    due.push(row);
    left -= row.rowCount;
  }
  const { numAffectedRows } = await sql`DELETE FROM journalRows WHERE (entryId, tableName, rowKey) IN (
    SELECT entryId, tableName, rowKey FROM journalRows WHERE entryId <= ${due.at(-1)!.id} LIMIT ${most + 1})`.execute(
    trx,
  );
  if (Number(numAffectedRows ?? 0n) > most) return true;
  const last = due.at(-1)!;
  await sql`DELETE FROM recycleBin WHERE entryId <= ${last.id}`.execute(trx);
  await sql`DELETE FROM journal WHERE id <= ${last.id}`.execute(trx);
  await sql`INSERT INTO settings (key, value) VALUES ('journalAnchor', ${last.hash})
    ON CONFLICT (key) DO UPDATE SET value = excluded.value`.execute(trx);
  return true;
}
