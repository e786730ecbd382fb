import type { Kysely } from 'kysely';
import { runAll } from '../dialect/trigger.ts';

/** Deletions meant for a node at whose address another GUID answers; they go on if it proves to be the same node. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await runAll(db, [
    `CREATE TABLE suspendedDeletions (
       nodeId INTEGER NOT NULL REFERENCES nodes(id) ON DELETE CASCADE, kind TEXT NOT NULL, itemId INTEGER NOT NULL,
       remoteId INTEGER NOT NULL, name TEXT NOT NULL, nameKey TEXT NOT NULL, PRIMARY KEY (nodeId, kind, itemId)
     ) STRICT, WITHOUT ROWID`,
  ]);
}
