import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../../../../store/schema.ts';

/** A client with a changed search key; null = the client no longer exists. */
export interface KeyChange {
  id: number;
  key: string | null;
}

/** Version of the last change of a search key; 0 = none so far. */
export async function lastKeyVersion(db: Db): Promise<number> {
  const { rows } = await sql<{ version: number | null }>`
    SELECT max(version) AS version FROM changedSearchKeys`.execute(db);
  return rows[0]?.version ?? 0;
}

/** Recorded changes after a version, with the current keys. */
export const changedKeys = (version: number): RawBuilder<KeyChange & { version: number }> => sql`
  SELECT changed.version, changed.clientId AS id, client.searchKey AS "key" FROM changedSearchKeys AS changed
  LEFT JOIN clients AS client ON client.id = changed.clientId
  WHERE changed.version > ${version} ORDER BY changed.version`;

/**
 * Search keys that were changed or deleted after `version`, and the new version. Null when some of them are no longer
 * recorded.
 */
export async function keyChangesAfter(
  db: Db,
  version: number,
): Promise<{ version: number; changes: KeyChange[] } | null> {
  const { rows } = await changedKeys(version).execute(db);
  if (rows.length > 0 && rows[0]!.version !== version + 1) return null;
  return { version: rows.at(-1)?.version ?? version, changes: rows };
}

/** Clients and their keys, each as one JSON text, so that they cross the threads together. */
interface KeyTexts {
  ids: string;
  keys: string;
  count: number;
  /** Null when there are none. */
  lastId: number | null;
}

/** Keys of up to `limit` clients after an id, by id. */
export const newKeys = (afterId: number, limit: number): RawBuilder<KeyTexts> => sql`
  SELECT json_group_array(id) AS ids, json_group_array(searchKey) AS "keys", count(*) AS "count", max(id) AS lastId
  FROM (SELECT id, searchKey FROM clients WHERE id > ${afterId} ORDER BY id LIMIT ${limit}) AS read`;

export interface KeySlice {
  ids: number[];
  keys: string[];
}

/** All clients after an id, by id: up to `few` of them through `db`, the others in slices through `heavyDb`. */
export async function* keysAfterId(
  { db, few, heavyDb, slice }: { db: Db; few: number; heavyDb: () => Db; slice: number },
  afterId: number,
): AsyncGenerator<KeySlice> {
  let read = newKeys(afterId, few).execute(db);
  for (let limit = few; ; limit = slice) {
    const { ids, keys, count, lastId } = (await read).rows[0]!;
    const isLast = count < limit || lastId === null;
    // The thread reads the next ones while this one processes the current ones.
    if (!isLast) read = newKeys(lastId, slice).execute(heavyDb());
    yield { ids: JSON.parse(ids) as number[], keys: JSON.parse(keys) as string[] };
    if (isLast) return;
  }
}
