import { sql, type RawBuilder } from 'kysely';
import type { Db } from './client-row.ts';

/** A client whose search key is another one now; null = there is no such client any more. */
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

/** Noted changes after a version, with the keys as they are now. */
export const changedKeys = (version: number): RawBuilder<KeyChange & { version: number }> => sql`
  SELECT changed.version, changed.clientId AS id, client.searchKey AS "key" FROM changedSearchKeys AS changed
  LEFT JOIN clients AS client ON client.id = changed.clientId
  WHERE changed.version > ${version} ORDER BY changed.version`;

/**
 * Search keys that were changed or deleted after `version`, and the version this brings to. Null when not all of them are
 * known any more.
 */
export async function keyChangesAfter(
  db: Db,
  version: number,
): Promise<{ version: number; changes: KeyChange[] } | null> {
  const { rows } = await changedKeys(version).execute(db);
  if (rows.length > 0 && rows[0]!.version !== version + 1) return null;
  return { version: rows.at(-1)?.version ?? version, changes: rows };
}

/** Keys of up to `limit` clients after an id, by id. As two texts: they cross the threads at once. */
export const newKeys = (afterId: number, limit: number): RawBuilder<{ ids: string; keys: string }> => sql`
  SELECT json_group_array(id) AS ids, json_group_array(searchKey) AS "keys"
  FROM (SELECT id, searchKey FROM clients WHERE id > ${afterId} ORDER BY id LIMIT ${limit})`;

export async function keysAfterId(db: Db, afterId: number, limit: number): Promise<{ ids: number[]; keys: string[] }> {
  const { ids, keys } = (await newKeys(afterId, limit).execute(db)).rows[0]!;
  return { ids: JSON.parse(ids) as number[], keys: JSON.parse(keys) as string[] };
}
