import type { Kysely } from 'kysely';
import { runAll } from '../dialect/trigger.ts';

/** What was last applied on nodes, and differences there that wait for a decision. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await runAll(db, STATEMENTS);
}

const STATEMENTS = [
  `ALTER TABLE nodes ADD COLUMN remoteEdits TEXT NOT NULL DEFAULT 'follow'`,
  `CREATE TABLE nodeApplied (
     nodeId INTEGER NOT NULL REFERENCES nodes(id) ON DELETE CASCADE, kind TEXT NOT NULL, itemId INTEGER NOT NULL,
     fields TEXT NOT NULL, PRIMARY KEY (nodeId, kind, itemId)
   ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE nodeDrift (
     nodeId INTEGER NOT NULL REFERENCES nodes(id) ON DELETE CASCADE, kind TEXT NOT NULL, name TEXT NOT NULL,
     inboundId INTEGER NOT NULL DEFAULT 0, isLeft INTEGER NOT NULL, PRIMARY KEY (nodeId, kind, name, inboundId)
   ) STRICT, WITHOUT ROWID`,
  // When such a row is removed, the record of what was applied goes with it.
  {
    name: 'nodeAppliedClientGone',
    table: 'nodeClients',
    after: 'DELETE',
    body: `DELETE FROM nodeApplied WHERE nodeId = OLD.nodeId AND kind = 'client' AND itemId = OLD.clientId;
     DELETE FROM nodeDrift WHERE nodeId = OLD.nodeId AND kind = 'client' AND name = OLD.emailKey AND OLD.emailKey <> '';`,
  },
  {
    name: 'nodeAppliedInboundGone',
    table: 'nodeInbounds',
    after: 'DELETE',
    body: `DELETE FROM nodeApplied WHERE nodeId = OLD.nodeId AND kind = 'inbound' AND itemId = OLD.inboundId;
     DELETE FROM nodeDrift WHERE nodeId = OLD.nodeId AND (inboundId = OLD.inboundId
       OR (kind = 'inbound' AND name = OLD.remoteTag AND OLD.remoteTag <> ''));`,
  },
];
