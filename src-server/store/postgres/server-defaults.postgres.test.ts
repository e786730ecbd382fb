import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { Client } from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startCluster } from '../../testing/postgres/cluster.ts';
import { copyDatabase, databaseOf, dropDatabase } from '../../testing/postgres/databases.ts';
import { addOne, recordingLogger } from '../../testing/test-store.ts';
import { runBatch } from '../batch.ts';
import { openStore, type Store } from '../open-store.ts';
import { openReading } from './open-reading.ts';

let folder: string;
const opened: Store[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'switchyard-test-'));
  await copyDatabase('empty', folder);
});
afterEach(async () => {
  for (const store of opened.splice(0)) await store.close();
  await dropDatabase(folder);
  await rm(folder, { recursive: true, force: true });
});

/** Sets what every later connection to the database starts with, as an administrator or a hosting provider does. */
async function setDefaults(defaults: Readonly<Record<string, string>>): Promise<void> {
  const client = new Client(databaseOf(folder));
  await client.connect();
  const { rows } = await client.query<{ name: string }>('SELECT current_database() AS name');
  for (const [name, value] of Object.entries(defaults))
    await client.query(`ALTER DATABASE "${rows[0]!.name}" SET ${name} = '${value}'`);
  await client.end();
}

async function open(beside = false, database = databaseOf(folder)!): Promise<Store> {
  const store = await openStore({
    dataDir: folder,
    clock: Date.now,
    log: recordingLogger(),
    database,
    beside,
  });
  opened.push(store);
  return store;
}

test.each(['repeatable read', 'serializable'])(
  'two processes write in turn on a server whose transactions are %s',
  async (isolation) => {
    await setDefaults({ default_transaction_isolation: isolation });
    const stores = [await open(), await open(true)];
    await stores[0]!.write((trx) => trx.insertInto('settings').values({ key: 'n', value: '0' }).execute());
    await Promise.all(Array.from({ length: 40 }, (_, at) => addOne(stores[at % 2]!, 'n')));
    expect(await stores[0]!.reader.selectFrom('settings').select('value').where('key', '=', 'n').execute()).toEqual([
      { value: '40' },
    ]);
  },
);

test('bytes and texts come back as they were written, whatever notation the server prefers', async () => {
  await setDefaults({
    bytea_output: 'escape',
    standard_conforming_strings: 'off',
    array_nulls: 'off',
    datestyle: 'German',
    timezone: 'Asia/Tehran',
    extra_float_digits: '-15',
  });
  const store = await open();
  const totals = Uint8Array.from({ length: 512 }, (_, at) => at % 256);
  await store.write((trx) => trx.insertInto('clientDayPages').values({ daySec: 0, page: 0, totals }).execute());
  const [page] = await store.reader.selectFrom('clientDayPages').selectAll().execute();
  expect(new Uint8Array(page!.totals)).toEqual(totals);
  const text = String.raw`C:\new\table 'quoted'`;
  await store.write((trx) => trx.insertInto('settings').values({ key: 'path', value: text }).execute());
  const { rows } = await sql<{ share: number; is_same: number }>`
    SELECT CAST(1 AS double precision) / 3 AS share, value = ${text} AS is_same FROM settings WHERE key = 'path'`.execute(
    store.reader,
  );
  expect(rows).toEqual([{ share: 1 / 3, is_same: 1 }]);
  const images = [null, 'NULL'];
  await store.write((trx) =>
    runBatch(
      trx,
      sql`INSERT INTO journalRows (entryId, tableName, rowKey, before) VALUES (${0}, ${''}, ${''}, ${''})`,
      [[1], ['clients'], ['a', 'b'], images],
      2,
    ),
  );
  const kept = await store.reader.selectFrom('journalRows').select('before').orderBy('rowKey').execute();
  expect(kept.map(({ before }) => before)).toEqual(images);
});

test('options in the address are kept beside those of the panel, which win', async () => {
  const address = `${databaseOf(folder)!}&application_name=mine&options=${encodeURIComponent('-c geqo=off -c search_path=public')}`;
  const store = await open(false, address);
  const setting = (name: string) => sql`current_setting(${sql.lit(name)})`;
  const { rows } = await sql`SELECT ${setting('geqo')} AS geqo, ${setting('search_path')} AS path,
    ${setting('default_transaction_read_only')} AS read_only, ${setting('application_name')} LIKE 'switchyard %' AS is_named`.execute(
    store.reader,
  );
  expect(rows).toEqual([{ geqo: 'off', path: '"switchyard"', read_only: 'on', is_named: 1 }]);
});

test('a long statement is not cut off by a limit that the server gives to all', async () => {
  await setDefaults({
    statement_timeout: '300ms',
    lock_timeout: '300ms',
    idle_in_transaction_session_timeout: '300ms',
    idle_session_timeout: '300ms',
  });
  const store = await open();
  const other = await open(true);
  await sql`SELECT pg_sleep(0.6)`.execute(store.heavyReader);
  const { promise: begun, resolve: hasBegun } = Promise.withResolvers<void>();
  const late = store.write(async (trx) => {
    await trx.insertInto('settings').values({ key: 'late', value: '0' }).execute();
    hasBegun();
    await sql`SELECT pg_sleep(0.6)`.execute(trx);
    await new Promise((resolve) => setTimeout(resolve, 600));
  });
  await begun;
  // It waits for its turn all the while.
  await Promise.all([late, addOne(other, 'late')]);
  expect(await store.reader.selectFrom('settings').select('value').where('key', '=', 'late').execute()).toEqual([
    { value: '1' },
  ]);
});

test('a replica is read although it refuses the serializable transactions that its server prefers', async () => {
  const cluster = await startCluster();
  const log = recordingLogger();
  const url = cluster.url('postgres');
  const store = await openStore({ dataDir: folder, clock: Date.now, log, database: url });
  const replica = await cluster.startReplica({ settings: ['default_transaction_isolation=serializable'] });
  try {
    await store.write((trx) => trx.insertInto('settings').values({ key: 'k', value: '1' }).execute());
    const reader = await openReading({
      url: replica.url('postgres'),
      role: 'reader',
      backupFolder: folder,
      clock: Date.now,
      log,
      mayWrite: () => undefined,
      onLost: () => undefined,
    });
    await expect.poll(() => reader.reader.selectFrom('settings').select('key').execute()).toEqual([{ key: 'k' }]);
    await reader.close();
  } finally {
    await store.close();
    await replica.stop();
    await cluster.stop();
  }
});
