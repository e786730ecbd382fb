import type { Act } from '../../contract/act.ts';
import { CAPTURED, NOTED_SETTINGS, type CapturedTable } from './captured-tables.ts';
import type { EntryConnection } from './entry-connection.ts';
import { addRow, entryHash, type HashedEntry, openRowsHash } from './entry-hash.ts';
import { createParts, type Action, type Parts } from './entry-parts.ts';
import { imageOf, isRow } from './images.ts';

/** Rows compared before the next are read. */
const CHUNK = 2_000;
type Image = Record<string, string | number | null>;
interface Captured {
  rowKey: string;
  before: string | null;
  present: string | null;
}

/** From here to the end of the transaction, changes of captured tables are recorded. */
export async function openEntry(connection: EntryConnection): Promise<void> {
  await connection.query('DELETE FROM temp.openEntry', []);
  await connection.query(
    `INSERT INTO temp.openEntry (id) SELECT coalesce(max(seq), 0) + 1 FROM sqlite_sequence WHERE name = 'journal'`,
    [],
  );
}

/**
 * Ends the recording and writes the entry, in the transaction that made its changes. Unchanged rows leave no trace, and
 * without rows there is no entry.
 * @returns id of the entry; 0 = nothing was changed
 */
export async function closeEntry(connection: EntryConnection, act: Act, atMs: number): Promise<number> {
  const [open] = (await connection.query('SELECT id FROM temp.openEntry', [])).rows as { id: number }[];
  await connection.query('DELETE FROM temp.openEntry', []);
  return open === undefined ? 0 : await closeRecorded(connection, open.id, act, atMs);
}

/** Writes the entry whose recording has ended. @returns as {@link closeEntry} */
export async function closeRecorded(
  connection: EntryConnection,
  entryId: number,
  act: Act,
  atMs: number,
): Promise<number> {
  const work = new Closing(connection, entryId, atMs);
  const touched = (
    await connection.query('SELECT tableName, count(*) AS n FROM journalRows WHERE entryId = ? GROUP BY 1 ORDER BY 1', [
      entryId,
    ])
  ).rows as { tableName: string }[];
  if (touched.length === 0 && act.undoOf === undefined) return 0;
  // In the order of their names, which is the order of the hash.
  for (const { tableName } of touched) await work.closeTable(tableName);
  // An undo is recorded even where nothing was left to change.
  if (!work.isChange && act.undoOf === undefined) {
    await connection.query('DELETE FROM journalRows WHERE entryId = ?', [entryId]);
    return 0;
  }
  await insertEntry(connection, act, work, atMs);
  return entryId;
}

async function insertEntry(connection: EntryConnection, act: Act, work: Closing, atMs: number): Promise<void> {
  const [last] = (await connection.query('SELECT hash FROM journal ORDER BY id DESC LIMIT 1', [])).rows as {
    hash: string;
  }[];
  const entry: HashedEntry = {
    id: work.entryId,
    atMs,
    actor: act.actor,
    name: act.name.slice(0, 256),
    address: act.address,
    verb: act.verb,
    requestId: act.requestId,
    parts: JSON.stringify(await work.parts.list()),
    rowCount: work.rowCount,
    canUndo: work.canUndo ? 1 : 0,
    undoOf: act.undoOf ?? 0,
    rowsHash: work.hash.digest('hex'),
    previousHash: last?.hash ?? (await anchorOf(connection)),
  };
  const names = [...Object.keys(entry), 'hash'];
  await connection.query(`INSERT INTO journal (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`, [
    ...Object.values(entry),
    entryHash(entry),
  ]);
  if (act.undoOf !== undefined) await markUndone(connection, entry.id, act.undoOf);
}

/** Undoing an undo restores what it had undone, which undoes again what that had undone, and so on. */
async function markUndone(connection: EntryConnection, entryId: number, undoOf: number): Promise<void> {
  let [by, id, isUndone] = [entryId, undoOf, true];
  while (id > 0) {
    await connection.query('UPDATE journal SET undoneBy = ? WHERE id = ?', [isUndone ? by : 0, id]);
    const [row] = (await connection.query('SELECT undoOf FROM journal WHERE id = ?', [id])).rows as {
      undoOf: number;
    }[];
    [by, id, isUndone] = [id, row?.undoOf ?? 0, !isUndone];
  }
}

/** Hash of the last emptied entry; the chain continues from there. */
async function anchorOf(connection: EntryConnection): Promise<string> {
  const [row] = (await connection.query(`SELECT value FROM settings WHERE key = 'journalAnchor'`, [])).rows as {
    value: string;
  }[];
  return row?.value ?? '';
}

/** Result of one chunk of rows: unchanged rows, changed rows, and rows for the bin. */
interface Written {
  same: string[];
  keys: string[];
  before: (string | null)[];
  after: (string | null)[];
  back: number[];
  binned: number[];
  binnedNames: string[];
}

class Closing {
  readonly parts: Parts;
  readonly hash = openRowsHash();
  rowCount = 0;
  isChange = false;
  canUndo = false;
  private readonly connection: EntryConnection;
  readonly entryId: number;
  private readonly atMs: number;

  constructor(connection: EntryConnection, entryId: number, atMs: number) {
    this.connection = connection;
    this.entryId = entryId;
    this.atMs = atMs;
    this.parts = createParts(connection);
  }

  /** Gives every row of a table its final state, and drops unchanged ones. */
  async closeTable(tableName: string): Promise<void> {
    const table = CAPTURED.find(({ name }) => name === tableName);
    const read = table === undefined ? COUNTERS_SQL : rowsSql(table);
    for (let after = ''; ;) {
      const rows = (await this.connection.query(read, [this.entryId, tableName, after, CHUNK])).rows as Captured[];
      const written: Written = { same: [], keys: [], before: [], after: [], back: [], binned: [], binnedNames: [] };
      for (const row of rows) this.closeRow(table ?? null, tableName, row, written);
      await this.write(tableName, table?.kind ?? '', written);
      if (rows.length < CHUNK) return;
      after = rows.at(-1)!.rowKey;
    }
  }

  /** Each kind of statement for all rows of a chunk. */
  private async write(tableName: string, kind: string, written: Written): Promise<void> {
    const { same, keys, before, after, back, binned, binnedNames } = written;
    const place = [[this.entryId], [tableName]];
    await this.connection.batch(
      'DELETE FROM journalRows WHERE entryId = ? AND tableName = ? AND rowKey = ?',
      [...place, same],
      same.length,
    );
    await this.connection.batch(
      'UPDATE journalRows SET before = ?, after = ? WHERE entryId = ? AND tableName = ? AND rowKey = ?',
      [before, after, ...place, keys],
      keys.length,
    );
    await this.connection.batch('DELETE FROM recycleBin WHERE kind = ? AND itemId = ?', [[kind], back], back.length);
    await this.connection.batch(
      `INSERT INTO recycleBin (kind, itemId, name, entryId, deletedAtMs) VALUES (?, ?, ?, ?, ?) ON CONFLICT (kind, itemId)
       DO UPDATE SET name = excluded.name, entryId = excluded.entryId, deletedAtMs = excluded.deletedAtMs`,
      [[kind], binned, binnedNames, [this.entryId], [this.atMs]],
      binned.length,
    );
  }

  private closeRow(
    table: CapturedTable | null,
    tableName: string,
    { rowKey, before, present }: Captured,
    written: Written,
  ): void {
    const was = before === null ? null : (JSON.parse(before) as Image);
    const is = present === null ? null : (JSON.parse(present) as Image);
    const difference = table === null ? countersDifference(was, is) : differenceOf(table, was, is);
    if (difference === null) {
      written.same.push(rowKey);
      return;
    }
    const texts = [jsonOf(difference.before), jsonOf(difference.after)] as const;
    written.keys.push(rowKey);
    written.before.push(texts[0]);
    written.after.push(texts[1]);
    addRow(this.hash, { tableName, rowKey, before: texts[0], after: texts[1] });
    this.rowCount += 1;
    if (table?.isSide === true) return;
    this.isChange = true;
    const action = actionOf(was, is);
    if (table === null) {
      this.noteCounters(rowKey);
      return;
    }
    if (table.isNoted !== true && !(table.name === 'settings' && NOTED_SETTINGS.includes(rowKey))) this.canUndo = true;
    this.parts.note(table, rowKey, { was, is, action });
    if (action === 'changed' || !['clients', 'inbounds', 'hosts'].includes(table.name)) return;
    // Deleted items go into the bin; restored ones leave it.
    if (action === 'added') written.back.push(Number(rowKey));
    else {
      written.binned.push(Number(rowKey));
      written.binnedNames.push(this.parts.nameIn(table, rowKey, was));
    }
  }

  private noteCounters(rowKey: string): void {
    this.canUndo = true;
    this.parts.noteReset(rowKey);
  }
}

const rowsSql = (table: CapturedTable): string =>
  `SELECT r.rowKey, r.before, iif(t.${table.keys[0]} IS NULL, NULL, ${imageOf(table, 't')}) AS present
   FROM journalRows AS r LEFT JOIN ${table.name} AS t ON ${isRow(table, 't', 'r')}
   WHERE r.entryId = ? AND r.tableName = ? AND r.rowKey > ? ORDER BY r.rowKey LIMIT ?`;

const COUNTERS_SQL = `SELECT r.rowKey, r.before,
     iif(t.clientId IS NULL, NULL, json_object('upBytes', t.upBytes, 'downBytes', t.downBytes)) AS present
   FROM journalRows AS r LEFT JOIN clientStates AS t ON t.clientId = CAST(r.rowKey AS INTEGER)
   WHERE r.entryId = ? AND r.tableName = ? AND r.rowKey > ? ORDER BY r.rowKey LIMIT ?`;

const actionOf = (was: Image | null, is: Image | null): Action =>
  was === null ? 'added' : is === null ? 'deleted' : 'changed';

const jsonOf = (image: Image | null): string | null => (image === null ? null : JSON.stringify(image));

/** The whole row where one side has none; otherwise the difference; null = none. */
function differenceOf(
  table: CapturedTable,
  was: Image | null,
  is: Image | null,
): { before: Image | null; after: Image | null } | null {
  if (was === null && is === null) return null;
  if (was === null || is === null) return { before: was, after: is };
  const before: Image = {};
  const after: Image = {};
  for (const column of [...table.values, ...(table.sums ?? [])]) {
    if (was[column] === is[column]) continue;
    before[column] = was[column]!;
    after[column] = is[column]!;
  }
  return Object.keys(before).length === 0 ? null : { before, after };
}

/** A deleted client takes its counters along with its row. */
function countersDifference(was: Image | null, is: Image | null): { before: Image | null; after: Image | null } | null {
  if (was === null || is === null) return null;
  return was['upBytes'] === is['upBytes'] && was['downBytes'] === is['downBytes'] ? null : { before: was, after: is };
}
