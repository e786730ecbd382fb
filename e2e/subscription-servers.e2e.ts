import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  disposePanel,
  refusedStart,
  startPanel,
  startSubscriptions,
  type PanelProcess,
  type SubscriptionProcess,
} from './harness/panel-process.ts';
import { waitFor } from './harness/wait-for.ts';
import { startPooler, type Pooler } from '../src-server/testing/postgres/pooler.ts';
import { startCluster, type Cluster, type Replica } from '../src-server/testing/postgres/cluster.ts';

let primary: Cluster;
let replica: Replica;
let pooler: Pooler;
let panel: PanelProcess;
let servers: SubscriptionProcess[] = [];
let folder: string;
beforeAll(async () => {
  primary = await startCluster();
  replica = await primary.startReplica();
  pooler = await startPooler(primary.folder);
  folder = await mkdtemp(join(tmpdir(), 'switchyard-e2e-'));
  panel = await startPanel({
    database: pooler.url('postgres'),
    env: { DATABASE_URL_DIRECT: primary.url('postgres') },
    role: 'panel',
    core: null,
  });
  await on(
    primary,
    `CREATE ROLE reader LOGIN; GRANT USAGE ON SCHEMA switchyard TO reader; GRANT SELECT ON ALL TABLES IN SCHEMA switchyard TO reader`,
  );
  const asReader = replica.url('postgres').replace('panel@', 'reader@');
  await waitFor('the replica', async () => {
    const [row] = await on(
      replica,
      `SELECT has_schema_privilege(oid, 'switchyard', 'usage') AS may FROM pg_roles WHERE rolname = 'reader'`,
    );
    return row?.['may'] === true;
  });
  const env = { DATABASE_URL: pooler.url('postgres'), DATABASE_URL_READ: asReader };
  // A folder that does not exist, and the panel's own one.
  servers = await Promise.all([join(folder, 'none'), panel.dataDir].map((dataDir) => startSubscriptions(dataDir, env)));
});
afterAll(async () => {
  await Promise.all(servers.map((server) => server.stop()));
  await disposePanel(panel);
  await pooler.stop();
  await replica.stop();
  await primary.stop();
  await rm(folder, { recursive: true, force: true });
});

const fetchFromAll = (path: string) =>
  Promise.all(
    servers.map(async ({ url }) => {
      const { status, headers } = await fetch(new URL(path, url), { headers: { 'user-agent': 'v2rayNG/1.9' } });
      return { status, retryAfter: headers.get('retry-after'), usage: headers.get('subscription-userinfo') };
    }),
  );
const allAre = (path: string, status: number) =>
  waitFor(`${status} of both`, async () => (await fetchFromAll(path)).every((response) => response.status === status));

async function on(server: Cluster, text: string): Promise<Record<string, unknown>[]> {
  const client = new Client(server.url('postgres'));
  await client.connect();
  try {
    return (await client.query(text)).rows as Record<string, unknown>[];
  } finally {
    await client.end();
  }
}

test('subscription servers behind a pooler survive panel, primary and promotion, not another schema', async () => {
  expect(panel.ready.sub).toBe('');
  const inbound = {
    port: 4443,
    protocol: 'vless',
    settings: { decryption: 'none', encryption: 'none' },
    streamSettings: { network: 'tcp', security: 'none' },
  };
  const { id } = await panel.api.post<{ id: number }>('/panel/api/inbounds/add', inbound);
  await panel.api.post('/panel/api/clients/add', { client: { email: 'nina', subId: 'nina' }, inboundIds: [id] });
  await allAre('/sub/nina', 200);
  await panel.api.post('/panel/api/setting/update', { subPath: '/moved/' });
  await allAre('/sub/nina', 404);
  await allAre('/moved/nina', 200);
  // Nothing is written without need.
  expect(existsSync(join(folder, 'none'))).toBe(false);

  // Without the primary: fetches by apps are recorded when it is back.
  await primary.crash();
  expect((await fetchFromAll('/moved/nina')).map(({ status }) => status)).toEqual([200, 200]);
  await primary.restart();
  await waitFor('the note', async () => {
    const [row] = await on(primary, 'SELECT "lastSubFetchAtMs" AS at FROM switchyard."clientStates"');
    return Number(row!['at']) > 0;
  });

  await replica.crash();
  await allAre('/moved/nina', 503);
  expect(await fetchFromAll('/moved/nina')).toMatchObject([{ retryAfter: '30' }, { retryAfter: '30' }]);
  await replica.restart();
  await allAre('/moved/nina', 200);

  // A promotion keeps connections open.
  await replica.promote();
  await on(replica, `UPDATE switchyard.settings SET value = '/again/' WHERE key = 'subPath'`);
  await allAre('/again/nina', 200);
  await on(replica, 'UPDATE switchyard."schemaVersion" SET version = version + 1');
  await waitFor('both to end', async () =>
    (await Promise.all(servers.map(({ ended }) => ended))).every((code) => code === 78),
  );
  for (const server of servers) expect(server.stderr()).toContain('Bring this program to the version of the panel');
  const role = ['--role', 'subscriptions'];
  const [late, bare, pooled] = await Promise.all([
    refusedStart({ dataDir: folder, args: role, env: { DATABASE_URL_READ: replica.url('postgres') } }),
    refusedStart({ dataDir: folder, args: role }),
    refusedStart({ dataDir: folder, database: pooler.url('postgres') }),
  ]);
  expect([late.code, bare.code, pooled.code]).toEqual([78, 78, 78]);
  expect(late.stderr).toMatch(/cannot start: The database has version \d+ of the schema, this program knows \d+\./);
  expect(bare.stderr).toContain('cannot start: A subscription server reads a database on a PostgreSQL server.');
  expect(pooled.stderr).toContain('cannot start: The address of the database leads to a connection pooler.');
});
