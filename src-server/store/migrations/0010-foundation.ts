import { sql, type Kysely } from 'kysely';

/** First schema: settings, sign-in, inbounds, clients, traffic. See docs/architecture.md, "Storage". */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  `CREATE TABLE settings (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID`,
  `CREATE TABLE admins (
     id INTEGER PRIMARY KEY AUTOINCREMENT, username TEXT NOT NULL UNIQUE, passwordHash TEXT NOT NULL,
     loginEpoch INTEGER NOT NULL, lastTotpStep INTEGER NOT NULL, createdAtMs INTEGER NOT NULL, updatedAtMs INTEGER NOT NULL
   ) STRICT`,
  `CREATE TABLE sessions (
     idHash TEXT PRIMARY KEY, adminId INTEGER NOT NULL REFERENCES admins(id) ON DELETE CASCADE, loginEpoch INTEGER NOT NULL,
     csrfToken TEXT NOT NULL, createdAtMs INTEGER NOT NULL, expiresAtMs INTEGER NOT NULL, address TEXT NOT NULL, userAgent TEXT NOT NULL
   ) STRICT, WITHOUT ROWID`,
  `CREATE INDEX sessionsByExpiry ON sessions (expiresAtMs)`,
  `CREATE TABLE apiTokens (
     id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, tokenHash TEXT NOT NULL UNIQUE,
     enabled INTEGER NOT NULL, createdAtMs INTEGER NOT NULL
   ) STRICT`,
  `CREATE TABLE inbounds (
     id INTEGER PRIMARY KEY AUTOINCREMENT, tag TEXT NOT NULL UNIQUE, remark TEXT NOT NULL, enable INTEGER NOT NULL,
     disabledBy TEXT NOT NULL, listen TEXT NOT NULL, port INTEGER NOT NULL, protocol TEXT NOT NULL, settings TEXT NOT NULL,
     streamSettings TEXT NOT NULL, sniffing TEXT NOT NULL, expiresAtMs INTEGER NOT NULL, quotaBytes INTEGER NOT NULL,
     upBytes INTEGER NOT NULL, downBytes INTEGER NOT NULL, trafficReset TEXT NOT NULL, lastTrafficResetAtMs INTEGER NOT NULL,
     nodeId INTEGER, originNodeGuid TEXT NOT NULL, createdAtMs INTEGER NOT NULL, updatedAtMs INTEGER NOT NULL
   ) STRICT`,
  `CREATE INDEX inboundsByPort ON inbounds (port)`,
  `CREATE INDEX inboundsByNode ON inbounds (nodeId)`,
  `CREATE TABLE inboundFallbacks (
     id INTEGER PRIMARY KEY AUTOINCREMENT, masterId INTEGER NOT NULL REFERENCES inbounds(id) ON DELETE CASCADE,
     childId INTEGER NOT NULL, name TEXT NOT NULL, alpn TEXT NOT NULL, path TEXT NOT NULL, dest TEXT NOT NULL,
     xver INTEGER NOT NULL, sortOrder INTEGER NOT NULL
   ) STRICT`,
  `CREATE INDEX fallbacksByMaster ON inboundFallbacks (masterId, sortOrder, id)`,
  `CREATE INDEX fallbacksByChild ON inboundFallbacks (childId)`,
  `CREATE TABLE clients (
     id INTEGER PRIMARY KEY AUTOINCREMENT, email TEXT NOT NULL, emailKey TEXT NOT NULL UNIQUE, subId TEXT NOT NULL,
     uuid TEXT NOT NULL, password TEXT NOT NULL, auth TEXT NOT NULL, flow TEXT NOT NULL, security TEXT NOT NULL,
     reverse TEXT NOT NULL, limitIp INTEGER NOT NULL, tgId INTEGER NOT NULL, groupName TEXT NOT NULL, comment TEXT NOT NULL,
     createdAtMs INTEGER NOT NULL, updatedAtMs INTEGER NOT NULL
   ) STRICT`,
  `CREATE INDEX clientsBySubId ON clients (subId)`,
  `CREATE INDEX clientsByEmail ON clients (email)`,
  `CREATE INDEX clientsByGroup ON clients (groupName) WHERE groupName <> ''`,
  `CREATE TABLE clientStates (
     clientId INTEGER PRIMARY KEY REFERENCES clients(id) ON DELETE CASCADE, enable INTEGER NOT NULL, disabledBy TEXT NOT NULL,
     quotaBytes INTEGER NOT NULL, expiresAtMs INTEGER NOT NULL, resetDays INTEGER NOT NULL,
     upBytes INTEGER NOT NULL, downBytes INTEGER NOT NULL, lastOnlineAtMs INTEGER NOT NULL
   ) STRICT`,
  `CREATE INDEX clientStatesByExpiry ON clientStates (expiresAtMs) WHERE expiresAtMs > 0`,
  `CREATE TABLE clientInbounds (
     clientId INTEGER NOT NULL REFERENCES clients(id) ON DELETE CASCADE,
     inboundId INTEGER NOT NULL REFERENCES inbounds(id) ON DELETE CASCADE,
     flowOverride TEXT NOT NULL, passwordOverride TEXT NOT NULL, createdAtMs INTEGER NOT NULL,
     PRIMARY KEY (clientId, inboundId)
   ) STRICT, WITHOUT ROWID`,
  `CREATE INDEX clientInboundsByInbound ON clientInbounds (inboundId, clientId)`,
  `CREATE TABLE keptTraffics (
     emailKey TEXT PRIMARY KEY, email TEXT NOT NULL, upBytes INTEGER NOT NULL, downBytes INTEGER NOT NULL, lastOnlineAtMs INTEGER NOT NULL
   ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE trafficSources (
     id INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL, guid TEXT NOT NULL, bootId TEXT NOT NULL, UNIQUE (kind, guid)
   ) STRICT`,
  `CREATE TABLE counterBaselines (
     id INTEGER PRIMARY KEY AUTOINCREMENT, sourceId INTEGER NOT NULL REFERENCES trafficSources(id) ON DELETE CASCADE,
     kind TEXT NOT NULL, subject TEXT NOT NULL, ownerId INTEGER, upBytes INTEGER NOT NULL, downBytes INTEGER NOT NULL,
     UNIQUE (sourceId, kind, subject)
   ) STRICT`,
  `CREATE INDEX baselinesBySubject ON counterBaselines (kind, subject)`,
  `CREATE TABLE trafficLedger (
     spanSec INTEGER NOT NULL, bucketStartSec INTEGER NOT NULL, clientId INTEGER NOT NULL, sourceId INTEGER NOT NULL,
     upBytes INTEGER NOT NULL, downBytes INTEGER NOT NULL, PRIMARY KEY (spanSec, bucketStartSec, clientId, sourceId)
   ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE outboundTraffics (tag TEXT PRIMARY KEY, upBytes INTEGER NOT NULL, downBytes INTEGER NOT NULL) STRICT, WITHOUT ROWID`,
  `CREATE TABLE quarantinedDeltas (
     id INTEGER PRIMARY KEY AUTOINCREMENT, atMs INTEGER NOT NULL, sourceId INTEGER NOT NULL, kind TEXT NOT NULL, subject TEXT NOT NULL,
     upBytes INTEGER NOT NULL, downBytes INTEGER NOT NULL, intervalMs INTEGER NOT NULL
   ) STRICT`,
];
