import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { isDatabaseAway } from '../../../contract/database-away.ts';
import { openPanel } from '../../../testing/panels/open-panel.ts';
import { startCluster, type Cluster } from '../../../testing/postgres/cluster.ts';
import { recordingLogger } from '../../../testing/test-store.ts';
import { openStore, type Store } from '../../open-store.ts';

/** Two starts of a server and several reconnections take a busy machine longer than a test usually has. */
const LONG_MS = 180_000;
const log = recordingLogger();
let cluster: Cluster;
let folder: string;
const onLost = vi.fn<(reason: string) => void>();

/** A panel's store on this file's server, which the tests stop and freeze. */
const openHere = (): Promise<Store> =>
  openStore({ dataDir: folder, clock: Date.now, log, isPanel: true, database: cluster.url('lost'), onLost });

async function asOwner(text: string): Promise<Record<string, unknown>[]> {
  const client = new Client(cluster.url('lost'));
  await client.connect();
  try {
    return (await client.query(text)).rows as Record<string, unknown>[];
  } finally {
    await client.end();
  }
}

const put = (store: Store, key: string): Promise<unknown> =>
  store.write((trx) => trx.insertInto('settings').values({ key, value: '' }).execute());
const keys = async (store: Store): Promise<string[]> =>
  (await store.reader.selectFrom('settings').select('key').orderBy('key').execute()).map(({ key }) => key);
const resultOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'done',
    (error: unknown) => (isDatabaseAway(error) ? 'away' : error),
  );

beforeAll(async () => {
  cluster = await startCluster();
  folder = await mkdtemp(join(tmpdir(), 'switchyard-test-'));
  const owner = new Client(cluster.url('postgres'));
  await owner.connect();
  await owner.query('CREATE DATABASE lost TEMPLATE template0');
  await owner.end();
});
afterAll(async () => {
  await cluster.stop();
  await rm(folder, { recursive: true, force: true });
});

test(
  'everything fails at once while the server is away, and works when it is back',
  async () => {
    const store = await openHere();
    await put(store, 'before');
    // The caller swallows the failure of one statement in a transaction: later ones must not be committed separately.
    const begun = Promise.withResolvers<void>();
    const cut = Promise.withResolvers<void>();
    const write = store.write(async (trx) => {
      await trx.insertInto('settings').values({ key: 'torn', value: '' }).execute();
      begun.resolve();
      await cut.promise;
      await trx
        .insertInto('settings')
        .values({ key: 'torn too', value: '' })
        .execute()
        .catch(() => undefined);
    });
    const torn = resultOf(write);
    await begun.promise;
    const long = resultOf(sql`SELECT pg_sleep(600)`.execute(store.heavyReader));
    await cluster.crash();
    expect(await long).toBe('away');
    expect(await resultOf(keys(store))).toBe('away');
    const seen = store.turnReader.version();
    await cluster.restart();
    await expect.poll(() => resultOf(keys(store)), { timeout: 20_000 }).toBe('done');
    cut.resolve();
    expect(await torn).toBe('away');
    await expect.poll(() => resultOf(put(store, 'after')), { timeout: 20_000 }).toBe('done');
    expect(await keys(store)).toEqual(['after', 'before']);
    expect(store.turnReader.version()).toBeGreaterThan(seen);

    // The server is frozen: nothing ends by itself.
    cluster.freeze();
    const stuck = [resultOf(put(store, 'stuck')), resultOf(keys(store)), resultOf(keys(store))];
    expect(await Promise.all(stuck)).toEqual(['away', 'away', 'away']);
    cluster.thaw();
    await expect.poll(() => resultOf(put(store, 'thawed')), { timeout: 20_000 }).toBe('done');
    expect(await keys(store)).toEqual(expect.arrayContaining(['after', 'before', 'thawed']));

    // Only the connection that writes is lost: its lock is taken again.
    await asOwner(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'switchyard panel%'`,
    );
    await expect.poll(() => resultOf(put(store, 'again')), { timeout: 20_000 }).toBe('done');
    expect(onLost).not.toHaveBeenCalled();

    // Another panel took the database while the server was away.
    await cluster.crash();
    await cluster.restart();
    const thief = new Client(cluster.url('lost'));
    await thief.connect();
    await thief.query('SELECT pg_advisory_lock(7276301)');
    await expect.poll(() => onLost.mock.calls, { timeout: 20_000 }).toEqual([['store.databaseInUse']]);
    await thief.end();
    await store.close();
  },
  LONG_MS,
);

test('a cancelled wait for the turn to write fails that write alone', async () => {
  const store = await openHere();
  const holder = new Client(cluster.url('lost'));
  await holder.connect();
  await holder.query('BEGIN; SELECT pg_advisory_xact_lock(7276302)');
  const cancelled = resultOf(put(store, 'cancelled'));
  const cancel = `SELECT pg_cancel_backend(pid) AS "isSent" FROM pg_stat_activity
    WHERE wait_event = 'advisory' AND application_name LIKE 'switchyard panel%'`;
  await expect.poll(async () => (await holder.query(cancel)).rows, { timeout: 20_000 }).toEqual([{ isSent: true }]);
  await holder.query('COMMIT');
  expect(await cancelled).toBeInstanceOf(Error);
  expect(await resultOf(put(store, 'uncancelled'))).toBe('done');
  await holder.end();
  await store.close();
});

test('a read waits for a free connection as long as those before it take', async () => {
  const store = await openStore({ dataDir: folder, clock: Date.now, log, database: cluster.url('lost') });
  const holder = new Client(cluster.url('lost'));
  await holder.connect();
  await holder.query('SELECT pg_advisory_lock(1)');
  const held = Array.from({ length: 4 }, () => sql`SELECT pg_advisory_lock_shared(1)`.execute(store.reader));
  const waiting = `SELECT count(*) AS n FROM pg_stat_activity WHERE wait_event = 'advisory' AND application_name LIKE '%reads'`;
  await expect.poll(async () => (await holder.query(waiting)).rows, { timeout: 20_000 }).toEqual([{ n: '4' }]);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const last = resultOf(keys(store));
  await vi.advanceTimersByTimeAsync(3_600_000);
  vi.useRealTimers();
  await holder.query('SELECT pg_advisory_unlock(1)');
  await Promise.all(held);
  expect(await last).toBe('done');
  await holder.end();
  await store.close();
});

test('fifty adds at a time, bulk actions, pages and ticks share six readers; none is kept', async () => {
  const panel = await openPanel();
  const inboundId = await panel.inbound(20_443);
  const emails = Array.from({ length: 50 }, (_, at) => `c${at}@x`);
  for (let round = 0; round < 2; round++) {
    await Promise.all([
      ...emails.map((email) => panel.add({ email: `${round}-${email}` }, [inboundId])),
      ...Array.from({ length: 30 }, () => panel.read('/clients/list/paged?search=c1')),
      ...Array.from({ length: 10 }, () => panel.read('/inbounds/list')),
      panel.app.parts.engine.traffic.tick(),
      panel.done(
        '/clients/bulkCreate',
        [0, 1, 2].map((n) => ({ client: { email: `bulk-${round}-${n}` }, inboundIds: [inboundId] })),
      ),
    ]);
  }
  const found = await panel.read<{ filtered: number }>('/clients/list/paged?search=');
  expect(found.filtered).toBe(106);
  await panel.close();
});
