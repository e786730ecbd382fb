import { sql } from 'kysely';
import { lastIdOf } from '../dialect/last-id.ts';
import type { Db } from '../schema.ts';
import { addRow, entryHash, openRowsHash, type HashedEntry, type HashedRow } from './entry-hash.ts';

/** Where the journal differs from what was written; null = it is intact. */
export interface ChainBreak {
  /** First entry that does not match, 0 = the part before the first. */
  entryId: number;
  /**
   * `entry`: it was changed. `rows`: its rows were. `missing`: entries before it are gone. `end`: the last ones are.
   */
  what: 'entry' | 'rows' | 'missing' | 'end';
}

const PAGE = 500;
type StoredEntry = HashedEntry & { hash: string; erasedBy: number };

/**
 * Follows the hashes from the oldest entry to the newest: each covers its entry, its rows and the previous hash.
 * Permanently deleted rows are left out, since another entry records that.
 */
export async function checkChain(db: Db): Promise<{ entries: number; broken: ChainBreak | null }> {
  const anchor = await db.selectFrom('settings').select('value').where('key', '=', 'journalAnchor').executeTakeFirst();
  let previousHash = anchor?.value ?? '';
  let lastId = 0;
  let entries = 0;
  for (;;) {
    const { rows } =
      await sql<StoredEntry>`SELECT * FROM journal WHERE id > ${lastId} ORDER BY id LIMIT ${PAGE}`.execute(db);
    for (const entry of rows) {
      const isFirst = lastId === 0;
      const broken = (what: ChainBreak['what']) => ({ entries, broken: { entryId: entry.id, what } });
      if (!isFirst && entry.id !== lastId + 1) return broken('missing');
      if (entry.previousHash !== previousHash) return broken(isFirst ? 'missing' : 'entry');
      if (entryHash(entry) !== entry.hash) return broken('entry');
      if (entry.erasedBy === 0 && (await hashOfRows(db, entry.id)) !== entry.rowsHash) return broken('rows');
      previousHash = entry.hash;
      lastId = entry.id;
      entries += 1;
    }
    if (rows.length < PAGE) break;
  }
  const newest = await lastIdOf(db, 'journal');
  // An emptied journal has no entries, and ids are never reused.
  if (entries > 0 && newest !== lastId) return { entries, broken: { entryId: lastId + 1, what: 'end' } };
  return { entries, broken: null };
}

async function hashOfRows(db: Db, entryId: number): Promise<string> {
  const hash = openRowsHash();
  for (let place = ['', '']; ;) {
    const { rows } = await sql<HashedRow>`SELECT tableName, rowKey, before, after FROM journalRows
      WHERE entryId = ${entryId} AND (tableName, rowKey) > (${place[0]}, ${place[1]})
      ORDER BY tableName, rowKey LIMIT ${PAGE}`.execute(db);
    for (const row of rows) addRow(hash, row);
    if (rows.length < PAGE) return hash.digest('hex');
    const last = rows.at(-1)!;
    place = [last.tableName, last.rowKey];
  }
}
