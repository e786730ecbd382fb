import { Client } from 'pg';
import { openStore } from '../src-server/store/open-store.ts';
import { QUIET } from './measured-panel.ts';
import type { Seeded } from './seed.ts';

/**
 * Rows as the panel writes them, made by the server itself: `count` clients, each on one of `inbounds` vless inbounds, of which
 * the first listens on 127.0.0.1:`port`. Seconds for a million.
 */
export async function seedOnServer(
  dataDir: string,
  count: number,
  inbounds: number,
  port: number,
  database: string,
): Promise<Seeded> {
  const store = await openStore({ dataDir, clock: Date.now, log: QUIET, database });
  await store.close();
  const client = await connected(database);
  const now = Date.now();
  // Each client has one inbound at first: what the triggers would note row by row is known.
  const tables = ['inbounds', 'clients', 'clientStates', 'clientInbounds'];
  const statements = [
    'BEGIN',
    ...tables.map((table) => `ALTER TABLE "${table}" DISABLE TRIGGER USER`),
    `INSERT INTO inbounds (id, tag, remark, enable, "disabledBy", listen, port, protocol, settings, "streamSettings", sniffing,
       "expiresAtMs", "quotaBytes", "upBytes", "downBytes", "trafficReset", "lastTrafficResetAtMs", "nodeId", "originNodeGuid",
       "createdAtMs", "updatedAtMs")
     SELECT id, CASE id WHEN 1 THEN 'in-${port}-tcp' ELSE 'spread-' || id END, 'bench', 1, '',
       CASE id WHEN 1 THEN '127.0.0.1' ELSE '127.0.1.' || id END, ${port}, 'vless', '{"decryption":"none"}',
       '{"network":"tcp","security":"none"}', '{"enabled":false}', 0, 0, 0, 0, 'never', 0, NULL, '', ${now}, ${now}
     FROM generate_series(1, ${inbounds}) AS id`,
    `INSERT INTO clients (id, email, "emailKey", "subId", uuid, password, auth, flow, security, reverse, "limitIp", "tgId",
       "groupName", comment, "createdAtMs", "updatedAtMs", "searchKey")
     SELECT id, email, email, "subId", uuid, '', '', '', '', '', 0, 0, '', '', ${now}, ${now},
       email || chr(31) || "subId" || chr(31)
     FROM (SELECT id, 'client-' || (id - 1) || '@example.org' AS email, uuid, replace(uuid, '-', '') AS "subId"
       FROM (SELECT id, CAST(gen_random_uuid() AS text) AS uuid FROM generate_series(1, ${count}) AS id OFFSET 0) AS made) AS named`,
    `INSERT INTO "clientStates" ("clientId", enable, "disabledBy", "quotaBytes", "expiresAtMs", "resetDays", "upBytes", "downBytes",
       "lastOnlineAtMs", "inboundCount")
     SELECT id, 1, '', 1000000000000, ${now + 30 * 86_400_000}, 0, 0, 0, 0, 1 FROM generate_series(1, ${count}) AS id`,
    `INSERT INTO "clientInbounds" SELECT id, id % ${inbounds} + 1, '', '', ${now} FROM generate_series(1, ${count}) AS id`,
    ...tables.map((table) => `ALTER TABLE "${table}" ENABLE TRIGGER USER`),
    // The rows were given their ids; those of the next ones come behind them.
    ...['clients', 'inbounds'].map(
      (table) => `SELECT setval(pg_get_serial_sequence('${table}', 'id'), (SELECT max(id) FROM ${table}))`,
    ),
    'COMMIT',
    // As the server does it by itself within minutes.
    'VACUUM ANALYZE',
  ];
  for (const statement of statements) await client.query(statement);
  const { rows } = await client.query<{ uuids: string[] }>('SELECT json_agg(uuid ORDER BY id) AS uuids FROM clients');
  await client.end();
  return { inboundId: 1, port, uuids: rows[0]?.uuids ?? [] };
}

/** Puts the first `count` clients on the first inbound: what lets clients move bytes reaches that one alone. */
export async function gatherAtFirst(database: string, count: number): Promise<void> {
  const client = await connected(database);
  await client.query('UPDATE "clientInbounds" SET "inboundId" = 1 WHERE "inboundId" <> 1 AND "clientId" <= $1', [
    count,
  ]);
  await client.query('VACUUM ANALYZE "clientInbounds"');
  await client.end();
}

async function connected(database: string): Promise<Client> {
  const client = new Client({ connectionString: database, options: '-c search_path=switchyard' });
  await client.connect();
  return client;
}
