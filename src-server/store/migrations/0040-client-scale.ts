import type { Kysely } from 'kysely';
import { runAll } from '../dialect/trigger.ts';

/** Sorting, filters and totals of other panels, for very many clients. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await runAll(db, STATEMENTS);
}

const STATEMENTS = [
  // Number of attachments: sorting by it must not count them for every client. Cascading deletions fire the triggers too.
  `ALTER TABLE clientStates ADD COLUMN inboundCount INTEGER NOT NULL DEFAULT 0`,
  `UPDATE clientStates SET inboundCount = (SELECT count(*) FROM clientInbounds AS link WHERE link.clientId = clientStates.clientId)`,
  {
    name: 'clientAttached',
    table: 'clientInbounds',
    after: 'INSERT',
    body: `UPDATE clientStates SET inboundCount = inboundCount + 1 WHERE clientId = new.clientId;`,
  },
  {
    name: 'clientDetached',
    table: 'clientInbounds',
    after: 'DELETE',
    body: `UPDATE clientStates SET inboundCount = inboundCount - 1 WHERE clientId = old.clientId;`,
  },
  `CREATE INDEX clientsByCreation ON clients (createdAtMs)`,
  `CREATE INDEX clientsByUpdate ON clients (updatedAtMs)`,
  `CREATE INDEX clientsWithComment ON clients (id) WHERE comment <> ''`,
  `CREATE INDEX clientsWithTelegram ON clients (id) WHERE tgId > 0`,
  // What other panels report as a client's usage across their nodes. A row counts for a day after its last push.
  `CREATE TABLE peerTotals (
     masterGuid TEXT NOT NULL, clientId INTEGER NOT NULL REFERENCES clients(id) ON DELETE CASCADE,
     upBytes INTEGER NOT NULL, downBytes INTEGER NOT NULL, updatedAtMs INTEGER NOT NULL,
     PRIMARY KEY (masterGuid, clientId)
   ) STRICT, WITHOUT ROWID`,
  `CREATE INDEX peerTotalsByClient ON peerTotals (clientId)`,
  `CREATE INDEX peerTotalsByAge ON peerTotals (updatedAtMs)`,
  // The largest of them per direction, and the largest sum, beside the client's own counters: lists compare them row by
  // row.
  `ALTER TABLE clientStates ADD COLUMN peerUpBytes INTEGER NOT NULL DEFAULT 0`,
  `ALTER TABLE clientStates ADD COLUMN peerDownBytes INTEGER NOT NULL DEFAULT 0`,
  `ALTER TABLE clientStates ADD COLUMN peerTotalBytes INTEGER NOT NULL DEFAULT 0`,
  `CREATE INDEX clientStatesPeerDepleted ON clientStates (clientId)
     WHERE enable = 1 AND quotaBytes > 0 AND peerTotalBytes >= quotaBytes`,
  {
    name: 'peerTotalAdd',
    table: 'peerTotals',
    after: 'INSERT',
    body: `UPDATE clientStates SET peerUpBytes = max(peerUpBytes, new.upBytes), peerDownBytes = max(peerDownBytes, new.downBytes),
       peerTotalBytes = max(peerTotalBytes, new.upBytes + new.downBytes) WHERE clientId = new.clientId;`,
  },
  {
    name: 'peerTotalChange',
    table: 'peerTotals',
    after: 'UPDATE',
    body: `UPDATE clientStates SET (peerUpBytes, peerDownBytes, peerTotalBytes) =
       (SELECT max(upBytes), max(downBytes), max(upBytes + downBytes) FROM peerTotals WHERE clientId = new.clientId)
     WHERE clientId = new.clientId;`,
  },
  {
    name: 'peerTotalDrop',
    table: 'peerTotals',
    after: 'DELETE',
    body: `UPDATE clientStates SET (peerUpBytes, peerDownBytes, peerTotalBytes) =
       (SELECT coalesce(max(upBytes), 0), coalesce(max(downBytes), 0), coalesce(max(upBytes + downBytes), 0)
        FROM peerTotals WHERE clientId = old.clientId)
     WHERE clientId = old.clientId;`,
  },
];
