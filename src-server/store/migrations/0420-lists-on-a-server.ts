import { sql, type Kysely } from 'kysely';
import { spelled } from '../dialect/spelled.ts';

/**
 * PostgreSQL reads a million rows too slowly to show one page. There each sort order and each client state has an
 * index, and the number of clients is stored. SQLite counts and sorts its rows faster than it could maintain this.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of ON_SERVER) await spelled(sql`SELECT 1`, sql.raw(statement)).execute(db);
}

const USED = `(CASE WHEN peerTotalBytes = 0 THEN upBytes + downBytes
  ELSE greatest(upBytes, peerUpBytes) + greatest(downBytes, peerDownBytes) END)`;

const ON_SERVER = [
  `CREATE INDEX clientStatesByUse ON clientStates (${USED}, clientId)`,
  `CREATE INDEX clientStatesByRemainder ON clientStates
     ((CASE WHEN quotaBytes > 0 THEN quotaBytes - ${USED} ELSE 9007199254740991 END), clientId)`,
  `CREATE INDEX clientStatesByShare ON clientStates
     ((CASE WHEN quotaBytes > 0 THEN CAST(${USED} AS double precision) / quotaBytes ELSE 0 END))`,
  `CREATE INDEX clientStatesByEnd ON clientStates
     ((CASE WHEN expiresAtMs > 0 THEN expiresAtMs ELSE 9007199254740991 END), clientId)`,
  // Every client that moves bytes costs each index an entry.
  `DROP INDEX clientStatesByExpiry`,
  `CREATE INDEX clientStatesByLastOnline ON clientStates (lastOnlineAtMs, clientId)`,
  `CREATE INDEX clientStatesByInbounds ON clientStates (inboundCount, clientId)`,
  `CREATE INDEX clientStatesBySwitch ON clientStates (enable, clientId)`,
  `DROP INDEX clientsByCreation`,
  `CREATE INDEX clientsByCreation ON clients (createdAtMs, id)`,
  `DROP INDEX clientsByUpdate`,
  `CREATE INDEX clientsByUpdate ON clients (updatedAtMs, id)`,
  `CREATE TABLE clientCount (clients bigint NOT NULL)`,
  `INSERT INTO clientCount SELECT count(*) FROM clients`,
  `CREATE FUNCTION clientsCounted() RETURNS trigger LANGUAGE plpgsql AS $counted$
     BEGIN
       UPDATE clientCount SET clients = clients + CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END * (SELECT count(*) FROM touched);
       RETURN NULL;
     END $counted$`,
  `CREATE TRIGGER clientsCountedIn AFTER INSERT ON clients REFERENCING NEW TABLE AS touched
     FOR EACH STATEMENT EXECUTE FUNCTION clientsCounted()`,
  `CREATE TRIGGER clientsCountedOut AFTER DELETE ON clients REFERENCING OLD TABLE AS touched
     FOR EACH STATEMENT EXECUTE FUNCTION clientsCounted()`,
];
