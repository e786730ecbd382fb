import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isDatabaseAway } from '../../../contract/database-away.ts';
import { API_TOKEN } from '../../../testing/credentials.ts';
import { openPanel } from '../../../testing/panels/open-panel.ts';
import { startCluster, type Cluster } from '../../../testing/postgres/cluster.ts';
import { startPooler, type Pooler } from '../../../testing/postgres/pooler.ts';
import { recordingLogger } from '../../../testing/test-store.ts';
import { openStore, type Store } from '../../open-store.ts';
import { openReading } from '../open-reading.ts';
import { writeBeside } from '../write-beside.ts';

const log = recordingLogger();
let cluster: Cluster;
/** One refuses unknown connection parameters, the other ignores them. */
let poolers: { strict: Pooler; lenient: Pooler };
let folder: string;

async function asOwner(text: string, database = 'postgres'): Promise<void> {
  const owner = new Client(cluster.url(database));
  await owner.connect();
  await owner.query(text);
  await owner.end();
}

beforeAll(async () => {
  cluster = await startCluster();
  folder = await mkdtemp(join(tmpdir(), 'switchyard-test-'));
  poolers = {
    strict: await startPooler(cluster.folder),
    lenient: await startPooler(cluster.folder, ['ignore_startup_parameters = options']),
  };
});
afterAll(async () => {
  // The server first: if a pooler did not start, the server must not be left running.
  await cluster.stop();
  await Promise.all(Object.values(poolers ?? {}).map((pooler) => pooler.stop()));
  await rm(folder, { recursive: true, force: true });
});

const opened = (database: string, pooler?: string): Promise<Store> =>
  openStore({ dataDir: folder, clock: Date.now, log, isPanel: true, database, pooler });
const put = (store: Pick<Store, 'write'>, key: string): Promise<unknown> =>
  store.write((trx) => trx.insertInto('settings').values({ key, value: '' }).execute());
const keys = async (store: Store): Promise<string[]> =>
  (await store.reader.selectFrom('settings').select('key').where('key', 'like', 'k%').orderBy('key').execute()).map(
    ({ key }) => key,
  );

test.each(['strict', 'lenient'] as const)(
  'behind a %s pooler the server itself has to be named, and be the same',
  async (kind) => {
    const pooler = poolers[kind];
    await asOwner(`CREATE DATABASE refused_${kind} TEMPLATE template0`);
    const name = `refused_${kind}`;
    await expect(opened(pooler.url(name))).rejects.toMatchObject({ code: 'store.needsDirect' });
    await expect(opened(pooler.url(name), pooler.url(name))).rejects.toMatchObject({ code: 'store.needsDirect' });
    await expect(opened(cluster.url(name), pooler.url('postgres'))).rejects.toMatchObject({
      code: 'store.poolerElsewhere',
    });
    // An address that leads past the pooler does no harm.
    const store = await opened(cluster.url(name), cluster.url(name));
    await put(store, 'k');
    expect(await keys(store)).toEqual(['k']);
    await store.close();
  },
);

test.each(['strict', 'lenient'] as const)(
  'a panel reads through a %s pooler, and a reader needs nothing else',
  async (kind) => {
    const pooler = poolers[kind];
    const name = `panel_${kind}`;
    await asOwner(`CREATE DATABASE ${name} TEMPLATE template0`);
    const store = await opened(cluster.url(name), pooler.url(name));
    await put(store, 'k1');
    const commits: string[] = [];
    const reader = await openReading({
      url: pooler.url(name),
      role: 'reader',
      backupFolder: folder,
      clock: Date.now,
      log,
      mayWrite: () => undefined,
      onLost: (reason) => void commits.push(reason),
      onCommit: () => void commits.push('commit'),
    });
    // Many at a time over three servers: each gets its own tables, parameters and response.
    const many = Array.from({ length: 60 }, (_, at) => at);
    const ask = async (from: Store, at: number): Promise<number> =>
      (await from.turnReader.all<{ n: number }>('SELECT CAST(? AS INTEGER) AS n FROM settings LIMIT 1', [at]))[0]!.n;
    const found = await Promise.all(many.flatMap((at) => [ask(store, at), ask(reader, at)]));
    expect(found).toEqual(many.flatMap((at) => [at, at]));
    await expect(store.turnReader.all(`DELETE FROM settings WHERE key = ?`, ['k1'])).rejects.toThrow('read-only');

    const beside = writeBeside({ url: pooler.url(name), log });
    await put(beside, 'k2');
    expect(await keys(store)).toEqual(['k1', 'k2']);
    await expect.poll(() => commits).toContain('commit');
    expect(await keys(reader)).toEqual(['k1', 'k2']);

    // Without the pooler nothing can be read, but writes still succeed.
    await pooler.crash();
    await expect(keys(store)).rejects.toSatisfy(isDatabaseAway);
    await put(store, 'k3');
    await pooler.restart();
    await expect.poll(() => keys(store).catch(() => null)).toEqual(['k1', 'k2', 'k3']);
    await expect.poll(() => keys(reader).catch(() => null), { timeout: 20_000 }).toEqual(['k1', 'k2', 'k3']);

    // A panel that lost its connection to the server commits nothing of what it had begun.
    const torn = store.write(async (trx) => {
      await trx.insertInto('settings').values({ key: 'k4', value: '' }).execute();
      await asOwner(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}' AND application_name LIKE 'switchyard panel%'`,
      );
      await trx.insertInto('settings').values({ key: 'k5', value: '' }).execute();
    });
    await expect(torn).rejects.toSatisfy(isDatabaseAway);
    await expect
      .poll(
        () =>
          put(store, 'k6').then(
            () => 'done',
            () => 'away',
          ),
        { timeout: 20_000 },
      )
      .toBe('done');
    expect(await keys(store)).toEqual(['k1', 'k2', 'k3', 'k6']);
    await Promise.all([beside.close(), reader.close(), store.close()]);
  },
);

test('a whole panel works over three servers of a pooler', async () => {
  await asOwner('CREATE DATABASE whole TEMPLATE template0');
  const dataDir = await mkdtemp(join(tmpdir(), 'switchyard-test-'));
  const panel = await openPanel({
    dataDir,
    app: { store: opened(cluster.url('whole'), poolers.strict.url('whole')) },
  });
  const tokenHash = createHash('sha256').update(API_TOKEN).digest('hex');
  await asOwner(
    `INSERT INTO switchyard."apiTokens" (name, "tokenHash", "createdAtMs", enabled) VALUES ('t', '${tokenHash}', 1, 1)`,
    'whole',
  );
  const inboundId = await panel.inbound(20_443);
  await Promise.all([
    ...Array.from({ length: 20 }, (_, at) => panel.add({ email: `c${at}@x`, subId: `s${at}` }, [inboundId])),
    ...Array.from({ length: 10 }, () => panel.read('/clients/list/paged?search=c1')),
    ...Array.from({ length: 10 }, () => panel.read('/inbounds/list')),
    panel.parts.engine.traffic.tick(),
    panel.done('/clients/bulkCreate', [{ client: { email: 'bulk' }, inboundIds: [inboundId] }]),
  ]);
  expect(await panel.read('/clients/list/paged?search=')).toMatchObject({ filtered: 21 });
  expect((await panel.ask('/sub/s7')).status).toBe(200);
  await panel.app.close();
  await rm(dataDir, { recursive: true });
});
