import { sql } from 'kysely';
import type { Db } from '../../../store/schema.ts';
import { textsIn } from '../../../store/dialect/each-json.ts';

/** Names of existing nodes by GUID. */
export async function sourceNames(db: Db, guids: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ guid: string; name: string }>`SELECT guid, name FROM nodes
    WHERE guid <> '' AND guid IN ${textsIn(JSON.stringify([...new Set(guids)]))}`.execute(db);
  return new Map(rows.map(({ guid, name }) => [guid, name]));
}
