import { sql, type Kysely } from 'kysely';

/** Sorting, filters and totals of other panels, for very many clients. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  // Number of attachments: sorting by it must not count them for every client. Cascading deletions fire the triggers too.
  `ALTER TABLE clientStates ADD COLUMN inboundCount INTEGER NOT NULL DEFAULT 0`,
  `UPDATE clientStates SET inboundCount = (SELECT count(*) FROM clientInbounds AS link WHERE link.clientId = clientStates.clientId)`,
  `CREATE TRIGGER clientAttached AFTER INSERT ON clientInbounds BEGIN
     UPDATE clientStates SET inboundCount = inboundCount + 1 WHERE clientId = new.clientId;
   END`,
  `CREATE TRIGGER clientDetached AFTER DELETE ON clientInbounds BEGIN
     UPDATE clientStates SET inboundCount = inboundCount - 1 WHERE clientId = old.clientId;
   END`,
  `CREATE INDEX clientsByCreation ON clients (createdAtMs)`,
  `CREATE INDEX clientsByUpdate ON clients (updatedAtMs)`,
  `CREATE INDEX clientsWithComment ON clients (id) WHERE comment <> ''`,
  `CREATE INDEX clientsWithTelegram ON clients (id) WHERE tgId > 0`,
  // What other panels say a client used all over their nodes. A row counts for a day after its last push.
  `CREATE TABLE peerTotals (
     masterGuid TEXT NOT NULL, clientId INTEGER NOT NULL REFERENCES clients(id) ON DELETE CASCADE,
     upBytes INTEGER NOT NULL, downBytes INTEGER NOT NULL, updatedAtMs INTEGER NOT NULL,
     PRIMARY KEY (masterGuid, clientId)
   ) STRICT, WITHOUT ROWID`,
  `CREATE INDEX peerTotalsByClient ON peerTotals (clientId)`,
  `CREATE INDEX peerTotalsByAge ON peerTotals (updatedAtMs)`,
  // The largest of them per direction, and the largest sum, beside the own counters: lists compare them row by row.
  `ALTER TABLE clientStates ADD COLUMN peerUpBytes INTEGER NOT NULL DEFAULT 0`,
  `ALTER TABLE clientStates ADD COLUMN peerDownBytes INTEGER NOT NULL DEFAULT 0`,
  `ALTER TABLE clientStates ADD COLUMN peerTotalBytes INTEGER NOT NULL DEFAULT 0`,
  `CREATE INDEX clientStatesPeerDepleted ON clientStates (clientId)
     WHERE enable = 1 AND quotaBytes > 0 AND peerTotalBytes >= quotaBytes`,
  `CREATE TRIGGER peerTotalAdd AFTER INSERT ON peerTotals BEGIN
     UPDATE clientStates SET peerUpBytes = max(peerUpBytes, new.upBytes), peerDownBytes = max(peerDownBytes, new.downBytes),
       peerTotalBytes = max(peerTotalBytes, new.upBytes + new.downBytes) WHERE clientId = new.clientId;
   END`,
  `CREATE TRIGGER peerTotalChange AFTER UPDATE ON peerTotals BEGIN
     UPDATE clientStates SET (peerUpBytes, peerDownBytes, peerTotalBytes) =
       (SELECT max(upBytes), max(downBytes), max(upBytes + downBytes) FROM peerTotals WHERE clientId = new.clientId)
     WHERE clientId = new.clientId;
   END`,
  `CREATE TRIGGER peerTotalDrop AFTER DELETE ON peerTotals BEGIN
     UPDATE clientStates SET (peerUpBytes, peerDownBytes, peerTotalBytes) =
       (SELECT coalesce(max(upBytes), 0), coalesce(max(downBytes), 0), coalesce(max(upBytes + downBytes), 0)
        FROM peerTotals WHERE clientId = old.clientId)
     WHERE clientId = old.clientId;
   END`,
];
