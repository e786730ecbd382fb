import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
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
    const query = async (from: Store, at: number): Promise<number> =>
      (await from.turnReader.all<{ n: number }>('SELECT CAST(? AS INTEGER) AS n FROM settings LIMIT 1', [at]))[0]!.n;
    const found = await Promise.all(many.flatMap((at) => [query(store, at), query(reader, at)]));
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

test('defaults of the server do not change what is read and written through a pooler', async () => {
  const { strict } = poolers;
  await asOwner('CREATE DATABASE of_its_own TEMPLATE template0');
  const defaults = {
    default_transaction_isolation: 'repeatable read',
    bytea_output: 'escape',
    standard_conforming_strings: 'off',
    statement_timeout: '500ms',
  };
  for (const [name, value] of Object.entries(defaults))
    await asOwner(`ALTER DATABASE of_its_own SET ${name} = '${value}'`);
  const store = await opened(cluster.url('of_its_own'), strict.url('of_its_own'));
  const totals = Uint8Array.from({ length: 512 }, (_, at) => at % 256);
  await store.write((trx) => trx.insertInto('clientDayPages').values({ daySec: 0, page: 0, totals }).execute());
  const [page] = await store.reader.selectFrom('clientDayPages').selectAll().execute();
  expect(new Uint8Array(page!.totals)).toEqual(totals);
  await sql`SELECT pg_sleep(0.8)`.execute(store.heavyReader);

  const beside = [1, 2].map(() => writeBeside({ url: strict.url('of_its_own'), log }));
  const add = (writer: Pick<Store, 'write'>) =>
    writer.write(async (trx) => {
      const { n } = await trx
        .selectFrom('settings')
        .select((eb) => eb.fn.countAll<number>().as('n'))
        .where('key', 'like', 'k%')
        .executeTakeFirstOrThrow();
      await trx
        .insertInto('settings')
        .values({ key: `k${n}`, value: String.raw`a\b` })
        .execute();
    });
  const writers = [store, ...beside];
  await Promise.all(Array.from({ length: 30 }, (_, at) => add(writers[at % 3]!)));
  expect((await keys(store)).length).toBe(30);
  const kept = await store.reader.selectFrom('settings').select('value').where('key', '=', 'k7').execute();
  expect(kept).toEqual([{ value: String.raw`a\b` }]);
  await Promise.all([...beside.map((one) => one.close()), store.close()]);
});

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
  expect((await panel.fetchSub('/sub/s7')).status).toBe(200);
  await panel.app.close();
  await rm(dataDir, { recursive: true });
});
