import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { connect, createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import Database from 'better-sqlite3';
import { sql } from 'kysely';
import { Client } from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openPanel } from '../../testing/panels/open-panel.ts';
import { copyDatabase, databaseOf, dropDatabase } from '../../testing/postgres/databases.ts';
import { recordingLogger } from '../../testing/test-store.ts';
import { runBatch } from '../batch.ts';
import { openStore, type Store } from '../open-store.ts';
import { fileToServer, serverToFile } from '../transfer/migrate-database.ts';

let folder: string;
let database: string;
const log = recordingLogger();
const opened: Store[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'switchyard-test-'));
  database = databaseOf(folder)!;
});
afterEach(async () => {
  for (const store of opened.splice(0)) await store.close();
  await dropDatabase(folder);
  await rm(folder, { recursive: true, force: true });
});

async function open(
  url = database,
  more: { beside?: boolean; isPanel?: boolean; onLost?: (reason: string) => void } = {},
): Promise<Store> {
  const store = await openStore({ dataDir: folder, clock: Date.now, log, database: url, ...more });
  opened.push(store);
  return store;
}

async function asOwner<T extends object>(text: string, url = database): Promise<T[]> {
  const client = new Client(url);
  await client.connect();
  try {
    return (await client.query(text)).rows as T[];
  } finally {
    await client.end();
  }
}

/** The tests' server, which claims to be one version older. */
async function olderServer(url: string): Promise<{ url: string; close(): void }> {
  const { host, database: name } = new Client(url);
  const relay = createServer((socket) => {
    const server = connect(join(host, '.s.PGSQL.5432'));
    socket.pipe(server);
    server.on('data', (bytes) =>
      socket.write(Buffer.from(bytes.toString('latin1').replaceAll(/\b15(\d{4})\b/g, '14$1'), 'latin1')),
    );
    socket.on('close', () => server.destroy());
  });
  relay.listen(0, '127.0.0.1');
  await once(relay, 'listening');
  const { port } = relay.address() as AddressInfo;
  return { url: `postgres://panel@127.0.0.1:${port}/${name}`, close: () => void relay.close() };
}

test('unusable servers are refused with the reason, and nothing is written', async () => {
  await expect(open()).rejects.toThrow('store.noSuchDatabase');
  await expect(open('postgres://panel@127.0.0.1:1/none')).rejects.toThrow('store.unreachable');
  await copyDatabase('template0', folder);
  await asOwner(`CREATE SCHEMA switchyard; CREATE TABLE switchyard.notes (id int)`);
  await expect(open()).rejects.toThrow('store.foreignSchema');
  await asOwner('DROP SCHEMA switchyard CASCADE; CREATE ROLE guest LOGIN');
  const asGuest = () => open(database.replace('panel@', 'guest@'));
  const missing = (reason: string) => ({ code: 'store.rightsMissing', params: { reason } });
  await expect(asGuest()).rejects.toMatchObject(missing('guest may not create or change the schema switchyard'));
  const name = basename(folder);
  await asOwner(`GRANT CREATE ON DATABASE "${name}" TO guest; REVOKE TEMPORARY ON DATABASE "${name}" FROM PUBLIC`);
  await expect(asGuest()).rejects.toMatchObject(missing('guest may not create temporary tables in this database'));
  await asOwner(
    `GRANT TEMPORARY ON DATABASE "${name}" TO guest; ALTER ROLE guest SET default_transaction_read_only = on`,
  );
  await expect(asGuest()).rejects.toMatchObject(
    missing('guest may only read here by default (default_transaction_read_only)'),
  );
  await asOwner(`REVOKE ALL ON DATABASE "${name}" FROM guest`);
  await asOwner(`DROP ROLE guest; CREATE ROLE guarded LOGIN PASSWORD 'right'`);
  await expect(open(database.replace('panel@', 'guarded:wrong@'))).rejects.toMatchObject({
    code: 'store.signInRefused',
    params: { reason: 'password authentication failed for user "guarded"' },
  });
  await asOwner('DROP ROLE guarded');
  await expect(open('postgres://panel@localhost:port/x')).rejects.toThrow('store.badAddress');
  const older = await olderServer(database);
  await expect(open(older.url)).rejects.toMatchObject({ code: 'store.serverTooOld', params: { oldest: 15 } });
  older.close();
  expect(await asOwner(`SELECT 1 FROM pg_namespace WHERE nspname = 'switchyard'`)).toEqual([]);
  const store = await open(database, { isPanel: true });
  await expect(open()).rejects.toThrow('store.databaseInUse');
  await store.close();
  await asOwner('UPDATE switchyard."schemaVersion" SET version = 99990');
  await expect(open()).rejects.toThrow('store.newerVersion');
  expect(await asOwner('SELECT version FROM switchyard."schemaVersion"')).toEqual([{ version: '99990' }]);
});

test('rows of a batch take effect one after another, and commands beside the panel take turns with it', async () => {
  await copyDatabase('empty', folder);
  const panel = await open();
  const command = await open(database, { beside: true });
  const seen = panel.turnReader.version();
  await panel.write((trx) => trx.insertInto('settings').values({ key: 'n', value: '0' }).execute());
  const add = (store: Store) =>
    store.write(async (trx) => {
      const ones = ['1', '1', '1'];
      const query = sql`UPDATE settings SET value = CAST(CAST(value AS INTEGER) + CAST(${'1'} AS INTEGER) AS TEXT) WHERE key = ${'n'}`;
      return runBatch(trx, query, [ones, ['n']], ones.length);
    });
  const changes = await Promise.all(Array.from({ length: 20 }, (_, at) => add(at % 2 === 0 ? panel : command)));
  expect(changes).toEqual(Array.from({ length: 20 }, () => 3));
  expect(await panel.reader.selectFrom('settings').select('value').where('key', '=', 'n').execute()).toEqual([
    { value: '60' },
  ]);
  // The panel is notified of the command's commit.
  await expect.poll(() => panel.turnReader.version()).toBeGreaterThan(seen + 20);
});

/** Runs a copy until it waits for the clients, and ends its connection there. */
async function cutOff(url: string, copy: () => Promise<unknown>): Promise<void> {
  const holder = new Client(url);
  await holder.connect();
  await holder.query('BEGIN; LOCK TABLE switchyard.clients IN ACCESS EXCLUSIVE MODE');
  const result = copy().catch((error: unknown) => error);
  const cut = `SELECT pg_terminate_backend(pid) FROM pg_locks WHERE NOT granted AND relation = 'switchyard.clients'::regclass`;
  await expect.poll(async () => (await holder.query(cut)).rows.length, { timeout: 20_000 }).toBe(1);
  expect(await result).toMatchObject({ code: 'store.unreachable' });
  await holder.end();
}

test('a temporary table does not grow however often it is filled', async () => {
  await copyDatabase('template0', folder);
  const store = await open();
  const pagesAfterFilling = () =>
    store.write(async (trx) => {
      await sql`CREATE TEMP TABLE IF NOT EXISTS filled (id INTEGER PRIMARY KEY, n INTEGER)`.execute(trx);
      await sql`DELETE FROM temp.filled`.execute(trx);
      await runBatch(
        trx,
        sql`INSERT INTO temp.filled VALUES (${0}, ${0})`,
        [Float64Array.from({ length: 1_000 }, (_, n) => n), [1]],
        1_000,
      );
      const { rows } = await sql<{ pages: number }>`SELECT pg_relation_size('pg_temp.filled') / 8192 AS pages`.execute(
        trx,
      );
      return rows[0]!.pages;
    });
  const first = await pagesAfterFilling();
  expect(first).toBeGreaterThan(0);
  for (let round = 0; round < 5; round += 1) expect(await pagesAfterFilling()).toBe(first);
});

test('everything goes to a file and back, row by row, and an incomplete copy is discarded', async () => {
  const panel = await openPanel();
  const inboundId = await panel.inbound(20_443);
  await panel.add({ email: 'İstanbul@x', comment: 'a "quote"', totalGB: 5_000 }, [inboundId]);
  await panel.add({ email: 'gone@x' }, [inboundId]);
  await panel.done('/clients/del/gone@x');
  const source = databaseOf(panel.dataDir)!;
  await panel.app.close();
  const file = join(folder, 'panel.db');
  // Interrupted in the middle, in either direction: the source is unchanged, and there is no half copy.
  await cutOff(source, () => serverToFile(source, file, log));
  expect(await readdir(folder)).toEqual([]);
  const there = await serverToFile(source, file, log);
  await expect(serverToFile(source, file, log)).rejects.toThrow('store.fileExists');
  const db = new Database(file, { readonly: true });
  expect(db.prepare('SELECT email, comment FROM clients').all()).toEqual([
    { email: 'İstanbul@x', comment: 'a "quote"' },
  ]);
  expect(db.prepare(`SELECT seq FROM sqlite_sequence WHERE name = 'clients'`).pluck().get()).toBe(2);
  expect(db.prepare(`SELECT count(*) FROM sqlite_master WHERE type = 'trigger'`).pluck().get()).toBeGreaterThan(5);
  db.close();

  await copyDatabase('template0', folder);
  await (await open()).close();
  await cutOff(database, () => fileToServer(file, database, log));
  expect(await asOwner('SELECT 1 FROM switchyard.inbounds')).toEqual([]);
  expect(await fileToServer(file, database, log)).toEqual(there);
  await expect(fileToServer(file, database, log)).rejects.toThrow('store.notEmpty');
  // Ids continue after those already assigned.
  const store = await open();
  const row = {
    email: 'new@x',
    emailKey: 'new@x',
    subId: 's',
    uuid: '',
    password: '',
    auth: '',
    flow: '',
    security: '',
  };
  const values = {
    ...row,
    reverse: '',
    limitIp: 0,
    tgId: 0,
    groupName: '',
    comment: '',
    createdAtMs: 1,
    updatedAtMs: 1,
  };
  const added = await store.write((trx) =>
    trx
      .insertInto('clients')
      .values({ ...values, searchKey: 'new@x' })
      .returning('id')
      .executeTakeFirstOrThrow(),
  );
  expect(added).toEqual({ id: 3 });
  await dropDatabase(panel.dataDir);
  await rm(panel.dataDir, { recursive: true, force: true });
});

test('nothing is in an empty list', async () => {
  await copyDatabase('template0', folder);
  const store = await open();
  await store.write((trx) => trx.insertInto('settings').values({ key: 'pageSize', value: '50' }).execute());
  const keys = (operator: 'in' | 'not in') =>
    store.reader.selectFrom('settings').select('key').where('key', operator, []).execute();
  expect(await keys('in')).toEqual([]);
  expect(await keys('not in')).toContainEqual({ key: 'pageSize' });
});
