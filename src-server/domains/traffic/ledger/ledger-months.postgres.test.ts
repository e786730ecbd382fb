import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { Client } from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { keepLedgerMonths } from '../../../store/dialect/keep-ledger-months.ts';
import { openStore, type Store } from '../../../store/open-store.ts';
import type { Db } from '../../../store/schema.ts';
import { writerOver } from '../../../store/postgres/postgres-store.ts';
import { fileToServer, serverToFile } from '../../../store/transfer/migrate-database.ts';
import { copyDatabase, databaseOf, dropDatabase } from '../../../testing/postgres/databases.ts';
import { openOlderSchema } from '../../../testing/postgres/older-schema.ts';
import { recordingLogger } from '../../../testing/test-store.ts';
import { ledgerEntries } from './repository-ledger.ts';
import { createRollUp } from './roll-up.ts';

const log = recordingLogger();
const DAY = 86_400;
const at = (moment: string): number => Date.parse(`${moment}Z`) / 1000;
/** The panel's clock, in seconds. */
let nowSec: number;
let folder: string;
let database: string;
let ending: (() => Promise<void>)[] = [];

beforeEach(async () => {
  nowSec = at('2026-03-31T12:00');
  folder = await mkdtemp(join(tmpdir(), 'switchyard-test-'));
  database = databaseOf(folder)!;
});
afterEach(async () => {
  for (const end of ending.toReversed()) await end();
  ending = [];
  await dropDatabase(folder);
  await rm(folder, { recursive: true, force: true });
});

const clock = (): number => nowSec * 1000;

async function open(where: { database?: string; dataDir?: string } = { database }): Promise<Store> {
  const store = await openStore({ dataDir: folder, clock, log, ...where });
  ending.push(() => store.close());
  return store;
}

async function openEmpty(): Promise<Store> {
  await copyDatabase('template0', folder);
  return await open();
}

async function owner(): Promise<Client> {
  const client = new Client({ connectionString: database, options: '-c search_path=switchyard' });
  await client.connect();
  ending.push(() => client.end());
  return client;
}

type Row = [spanSec: number, bucketSec: number, clientId?: number, up?: number];

const put = (store: Store, rows: readonly Row[]): Promise<void> => store.write((trx) => putInto(trx, rows));

async function putInto(db: Db, rows: readonly Row[]): Promise<void> {
  for (const [spanSec, bucketStartSec, clientId = 1, upBytes = 1] of rows)
    await db
      .insertInto('trafficLedger')
      .values({ spanSec, bucketStartSec, clientId, sourceId: 1, upBytes, downBytes: 2 * upBytes })
      .execute();
}

/** Client 1 and the source of its rows. */
async function addClient(store: Store): Promise<void> {
  await store.write(async (trx) => {
    await sql`INSERT INTO clients (id, email, emailKey, subId, uuid, password, auth, flow, security, reverse, limitIp, tgId, groupName,
        comment, createdAtMs, updatedAtMs, searchKey)
      VALUES (1, 'a', 'a', '', '', '', '', '', '', '', 0, 0, '', '', 0, 0, 'a')`.execute(trx);
    await trx.insertInto('trafficSources').values({ id: 1, kind: 'core', guid: 'here', bootId: '' }).execute();
  });
}

const entriesOf = (store: Store, range: { fromSec: number; untilSec: number }) =>
  ledgerEntries(store.reader, 1, { ...range, bucketSec: 300 });

const rowsOf = (store: Store) => rowsIn(store.reader);

const rowsIn = async (db: Db) =>
  (
    await sql`SELECT spanSec, bucketStartSec, clientId, sourceId, upBytes, downBytes FROM trafficLedger
      ORDER BY 1, 2, 3, 4`.execute(db)
  ).rows;

/** Partitions of the ledger by short name, with their row counts. */
async function parts(client: Client): Promise<Record<string, number>> {
  const { rows } = await client.query<{ name: string; table: string }>(
    `SELECT substr(relname, 15) AS name, quote_ident(relname) AS table FROM pg_inherits
     JOIN pg_class ON pg_class.oid = inhrelid WHERE inhparent = '"trafficLedger"'::regclass ORDER BY relname`,
  );
  const found: Record<string, number> = {};
  for (const { name, table } of rows)
    found[name] = Number((await client.query<{ n: string }>(`SELECT count(*) AS n FROM ${table}`)).rows[0]!.n);
  return found;
}

const keep = (store: Store): Promise<boolean> => store.write((trx) => keepLedgerMonths(trx, nowSec, 0));

test('an older ledger is moved row by row, each row into its UTC month', async () => {
  await copyDatabase('template0', folder);
  const link = await openOlderSchema(database, log, 420);
  const writer = writerOver(link);
  const rows: Row[] = [
    [0, 0],
    [300, -300],
    [300, at('1999-12-31T23:55')],
    [86_400, at('2024-02-29T00:00')],
    [3_600, at('2026-02-28T23:00')],
    [300, at('2026-02-28T23:55')],
    [300, at('2026-03-01T00:00')],
    [300, at('2026-03-01T00:00'), 2, -7],
    [300, at('2091-06-01T00:00')],
  ];
  await putInto(writer, rows);
  const before = await rowsIn(writer);
  await link.close();
  const store = await open();
  expect(await rowsOf(store)).toEqual(before);
  expect(await parts(await owner())).toEqual({
    carried: 3,
    '2024_02': 1,
    '2026_02': 2,
    '2026_03': 2,
    '2026_04': 0,
    '2091_06': 1,
    other: 0,
  });
});

test('counting into a bucket again takes no more room, in an earlier month too', async () => {
  await copyDatabase('template0', folder);
  const link = await openOlderSchema(database, log, 450);
  await link.client().query(`SELECT make_ledger_month(${nowSec})`);
  await link.client().query(`ALTER TABLE "trafficLedger_2026_03" RESET (fillfactor)`);
  await link.close();
  const store = await open();
  await addClient(store);
  for (const bucketSec of [at('2026-03-31T23:55'), at('2026-04-01T00:00')]) {
    const pagesAfterTick = () =>
      store.write(async (trx) => {
        await sql`INSERT INTO trafficLedger SELECT 300, ${bucketSec}, id, 1, 1, 1 FROM generate_series(1, 1000) AS id WHERE true
          ON CONFLICT (spanSec, bucketStartSec, clientId, sourceId) DO UPDATE SET upBytes = trafficLedger.upBytes + 1`.execute(
          trx,
        );
        const { rows } = await sql<{
          pages: number;
        }>`SELECT CAST(sum(pg_relation_size(relid)) / 8192 AS INTEGER) AS pages
          FROM pg_partition_tree('"trafficLedger"')`.execute(trx);
        return rows[0]!.pages;
      });
    const first = await pagesAfterTick();
    // Space of old row versions is reused once no transaction on the server can see them; this uses the free space up.
    expect(await pagesAfterTick()).toBeLessThan(first + 3);
  }
});

test('two concurrent creations of a month both succeed, and there is one month', async () => {
  await openEmpty();
  const [one, other] = [await owner(), await owner()];
  const make = `SELECT make_ledger_month(${at('2024-12-31T23:59')})`;
  await one.query('BEGIN');
  await one.query(make);
  const second = other.query(make);
  const waiting = `SELECT 1 FROM pg_locks WHERE NOT granted AND relation = '"trafficLedger"'::regclass`;
  await expect.poll(async () => (await one.query(waiting)).rows.length).toBe(1);
  await one.query('COMMIT');
  await second;
  expect(await parts(one)).toEqual({ carried: 0, '2024_12': 0, '2026_03': 0, '2026_04': 0, other: 0 });
});

test('rows without a month are still written, and do not prevent its later creation', async () => {
  const store = await openEmpty();
  const client = await owner();
  await put(store, [
    [300, at('2026-06-30T23:55')],
    [300, at('2026-07-01T00:00')],
    [300, at('2026-05-01T00:00')],
  ]);
  const rows = await rowsOf(store);
  expect(await parts(client)).toMatchObject({ '2026_04': 0, other: 3 });
  // The creation does not wait for a long read of the ledger.
  await client.query('BEGIN');
  await client.query('SELECT 1 FROM "trafficLedger"');
  expect(await keep(store)).toBe(false);
  await put(store, [[300, nowSec - 300]]);
  await client.query('COMMIT');
  expect(await keep(store)).toBe(true);
  expect(await parts(client)).toEqual({
    carried: 0,
    '2026_03': 1,
    '2026_04': 0,
    '2026_05': 1,
    '2026_06': 1,
    '2026_07': 1,
    other: 0,
  });
  expect(await rowsOf(store)).toEqual([{ ...rows[0]!, bucketStartSec: nowSec - 300 }, ...rows]);
});

test('rows from before and after the end of a month are read in one order, and rolled up as in SQLite', async () => {
  const file = await mkdtemp(join(tmpdir(), 'switchyard-test-'));
  ending.push(() => rm(file, { recursive: true, force: true }));
  const onServer = await openEmpty();
  const inFile = await open({ dataDir: file });
  const rows: Row[] = [];
  for (let sec = at('2026-02-27T21:00'); sec < at('2026-03-01T03:00'); sec += 300) rows.push([300, sec, 1, sec % 97]);
  for (const store of [onServer, inFile]) {
    await addClient(store);
    await put(store, rows);
    await createRollUp({ store, clock }).run();
  }
  const client = await owner();
  expect(await parts(client)).toMatchObject({ '2026_02': 27, '2026_03': 3 });
  const range = { fromSec: at('2026-02-01T00:00'), untilSec: nowSec };
  expect(await entriesOf(onServer, range)).toEqual(await entriesOf(inFile, range));
  expect(await rowsOf(onServer)).toEqual(await rowsOf(inFile));
});

test('a month is dropped once its last row is carried; coming months are created after two of sleep', async () => {
  const store = await openEmpty();
  await addClient(store);
  const client = await owner();
  const rows: Row[] = [];
  for (let day = at('2021-03-20T00:00'); day < at('2021-05-10T00:00'); day += DAY) rows.push([DAY, day, 1, day % 97]);
  await put(store, rows);
  const rollUp = createRollUp({ store, clock });
  nowSec = at('2026-03-01T12:00');
  await rollUp.run();
  expect(Object.keys(await parts(client))).toContain('2021_03');
  nowSec = at('2026-05-04T12:00');
  await rollUp.run();
  // The end is noticed the next day: a month is carried after it was checked.
  nowSec += DAY;
  await rollUp.run();
  const found = await parts(client);
  expect(found).toMatchObject({ carried: 1, '2021_05': 4, '2026_05': 0, '2026_06': 0, other: 0 });
  expect(Object.keys(found)).not.toContain('2021_04');
  const { rows: sums } = await client.query('SELECT sum("upBytes")::int AS sum FROM "trafficLedger"');
  expect(sums).toEqual([{ sum: rows.reduce((sum, [, , , up = 0]) => sum + up, 0) }]);
});

test('a clock that is set back writes into the existing month', async () => {
  const store = await openEmpty();
  nowSec = at('2026-02-10T12:00');
  expect(await keep(store)).toBe(true);
  await put(store, [[300, nowSec]]);
  expect(await parts(await owner())).toMatchObject({ '2026_02': 1, '2026_03': 0, other: 0 });
});

test('months are moved to SQLite and back', async () => {
  const store = await openEmpty();
  await put(store, [
    [0, 0],
    [300, at('2019-07-31T23:55')],
    [300, at('2026-03-01T00:00')],
  ]);
  const before = await rowsOf(store);
  await store.close();
  const file = join(folder, 'moved.db');
  await serverToFile(database, file, log);
  await dropDatabase(folder);
  await copyDatabase('template0', folder);
  await fileToServer(file, database, log);
  expect(await rowsOf(await open())).toEqual(before);
  expect(await parts(await owner())).toMatchObject({ carried: 1, '2019_07': 1, '2026_03': 1, other: 0 });
});
