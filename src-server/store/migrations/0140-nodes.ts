import { sql, type Kysely } from 'kysely';

/** Panels that this one manages, and what each of them is known to have. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  // An id is never used twice: tokens are sealed for it, and tags begin with it.
  `CREATE TABLE nodes (
     id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, remark TEXT NOT NULL,
     scheme TEXT NOT NULL, address TEXT NOT NULL, port INTEGER NOT NULL, basePath TEXT NOT NULL, apiToken TEXT NOT NULL,
     enable INTEGER NOT NULL, allowPrivateAddress INTEGER NOT NULL, tlsVerifyMode TEXT NOT NULL,
     pinnedCertSha256 TEXT NOT NULL, inboundSyncMode TEXT NOT NULL, inboundTags TEXT NOT NULL, outboundTag TEXT NOT NULL,
     guid TEXT NOT NULL DEFAULT '', status TEXT NOT NULL DEFAULT 'unknown', lastHeartbeatAtMs INTEGER NOT NULL DEFAULT 0,
     latencyMs INTEGER NOT NULL DEFAULT 0, coreVersion TEXT NOT NULL DEFAULT '', coreState TEXT NOT NULL DEFAULT '',
     coreError TEXT NOT NULL DEFAULT '', panelVersion TEXT NOT NULL DEFAULT '', cpuPct REAL NOT NULL DEFAULT 0,
     memPct REAL NOT NULL DEFAULT 0, uptimeSec INTEGER NOT NULL DEFAULT 0, netUpBytesPerSec INTEGER NOT NULL DEFAULT 0,
     netDownBytesPerSec INTEGER NOT NULL DEFAULT 0, lastError TEXT NOT NULL DEFAULT '',
     configDirty INTEGER NOT NULL DEFAULT 0, configDirtyAtMs INTEGER NOT NULL DEFAULT 0,
     syncError TEXT NOT NULL DEFAULT '', createdAtMs INTEGER NOT NULL, updatedAtMs INTEGER NOT NULL
   ) STRICT`,
  // No reference to inbounds: a row that outlives its inbound means that the node still has to delete it.
  `CREATE TABLE nodeInbounds (
     inboundId INTEGER PRIMARY KEY, nodeId INTEGER NOT NULL REFERENCES nodes(id) ON DELETE CASCADE,
     remoteId INTEGER NOT NULL DEFAULT 0, remoteTag TEXT NOT NULL DEFAULT '', changedAtMs INTEGER NOT NULL DEFAULT 0,
     resetDeliveredAtMs INTEGER NOT NULL DEFAULT 0
   ) STRICT`,
  `CREATE INDEX nodeInboundsByNode ON nodeInbounds (nodeId)`,
  // No reference to clients, for the same reason.
  `CREATE TABLE nodeClients (
     nodeId INTEGER NOT NULL REFERENCES nodes(id) ON DELETE CASCADE, clientId INTEGER NOT NULL,
     email TEXT NOT NULL DEFAULT '', emailKey TEXT NOT NULL DEFAULT '', upBytes INTEGER, downBytes INTEGER,
     changedAtMs INTEGER NOT NULL DEFAULT 0, isResetDue INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (nodeId, clientId)
   ) STRICT, WITHOUT ROWID`,
  `CREATE INDEX nodeClientsByName ON nodeClients (nodeId, emailKey) WHERE emailKey <> ''`,
  `CREATE INDEX nodeClientsByClient ON nodeClients (clientId)`,
  `CREATE INDEX nodeClientsWaiting ON nodeClients (nodeId) WHERE changedAtMs > 0`,
];
