import { existsSync } from 'node:fs';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql, type Kysely } from 'kysely';
import { Client } from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openRole } from '../cli/launch/panel-roles.ts';
import { isDatabaseAway } from '../contract/database-away.ts';
import { migrate } from '../store/migrate.ts';
import { SCHEMA } from '../store/postgres/version-place.ts';
import { FUNCTIONS } from '../store/postgres/functions.ts';
import { openLink } from '../store/postgres/link.ts';
import { writerOver } from '../store/postgres/postgres-store.ts';
import { FOUNDATION, IN_TABLE } from '../store/postgres/version-place.ts';
import { API_TOKEN } from '../testing/credentials.ts';
import { openPanel } from '../testing/panels/open-panel.ts';
import { copyDatabase, databaseOf, dropDatabase } from '../testing/postgres/databases.ts';
import { preparedFolder, recordingLogger } from '../testing/test-store.ts';

const log = recordingLogger();
const folders: string[] = [];
const ending: (() => Promise<unknown>)[] = [];
let database: string;

beforeEach(async () => {
  folders.push(await preparedFolder());
  database = databaseOf(folders[0]!)!;
});
afterEach(async () => {
  for (const end of ending.splice(0).toReversed()) await end();
  await dropDatabase(folders[0]!);
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

/** A data folder of another machine, with the key of the first one. */
async function anotherFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'switchyard-test-'));
  folders.push(folder);
  const key = join(folders[0]!, 'secret.key');
  if (existsSync(key)) await copyFile(key, join(folder, 'secret.key'));
  return folder;
}

/** Starts a panel on the database, as what it can be there. */
async function startAt(dataDir: string, hasHadRole = false) {
  const clock = (): number => 1_700_000_000_000;
  const role = await openRole({ hasHadRole, dataDir, database, clock, log });
  const { store, isStandby, server } = role;
  const panel = await openPanel({
    dataDir,
    app: { store: Promise.resolve(store), isStandby, ...(server !== undefined && { server }) },
  });
  const close = (): Promise<void> => panel.app.close();
  ending.push(close);
  return { ...role, panel, close };
}

/** Waits for the lock behind a panel, and ends that panel's connections: they find the lock taken when they come back. */
async function depose(): Promise<{ release(): Promise<void> }> {
  const thief = new Client(database);
  await thief.connect();
  const got = thief.query('SELECT pg_advisory_lock(7276301)');
  const owner = new Client(database);
  await owner.connect();
  const isWaiting = `SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND objid = 7276301 AND NOT granted`;
  await expect.poll(async () => (await owner.query(isWaiting)).rows.length).toBe(1);
  await owner.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'switchyard panel%'
      AND datname = current_database()`,
  );
  await got;
  await owner.end();
  return { release: () => thief.end() };
}

/** Empties the database and brings its schema to an older version. */
async function replaceSchema(version: number): Promise<void> {
  const link = await openLink({ url: database, log, role: 'command', rejoin: async () => {}, onBack: () => {} });
  const statements = [`DROP SCHEMA "${SCHEMA}" CASCADE`, `CREATE SCHEMA "${SCHEMA}"`, ...FOUNDATION, ...FUNCTIONS];
  for (const statement of statements) await link.client().query(statement);
  await migrate(writerOver(link) as unknown as Kysely<unknown>, async () => undefined, version, IN_TABLE);
  await link.close();
}

const status = async (url: string, path: string, method = 'GET'): Promise<number> =>
  (await fetch(new URL(`panel/api${path}`, url), { method, headers: { authorization: `Bearer ${API_TOKEN}` } })).status;

test('of two panels one is active; the other answers every read, changes nothing, and takes over with every byte', async () => {
  const first = await startAt(folders[0]!);
  expect(first.isStandby).toBe(false);
  const { panel: active } = first;
  const inboundId = await active.inbound(20_443);
  await active.add({ email: 'a' }, [inboundId]);
  active.core.start();
  active.core.move('users', 'a', 100, 1_000);
  await active.tick();

  const stranger = await mkdtemp(join(tmpdir(), 'switchyard-test-'));
  folders.push(stranger);
  await expect(startAt(stranger)).rejects.toMatchObject({ code: 'store.otherKey' });
  const folder = await anotherFolder();
  const second = await startAt(folder);
  expect(second.isStandby).toBe(true);
  const { panel: standby } = second;
  expect(await standby.read('/server/status')).toMatchObject({ standby: { address: active.app.panel.url } });
  expect(await standby.done('/clients/onlines')).toEqual([]);
  expect(await standby.read('/clients/traffic/a')).toMatchObject({ up: 100, down: 1_000 });
  const { endpoints } = standby.app.mounted;
  const plain = endpoints.filter(({ path }) => path.startsWith('/panel/api/') && !path.includes(':'));
  for (const { method, path, onStandby } of plain) {
    const answered = await status(standby.app.panel.url, path.replace('/panel/api', ''), method);
    if (method !== 'GET' && onStandby === undefined) expect([path, answered]).toEqual([path, 503]);
    else expect([path, answered < 500]).toEqual([path, true]);
  }
  expect(await standby.post('/clients/del/a')).toMatchObject({
    success: false,
    error: { code: 'store.standby', params: { address: active.app.panel.url } },
  });
  // A browser signs in here too; the active panel knows it at once.
  const browser = await standby.signedIn();
  expect(await standby.read('/setting/sessions')).toHaveLength(1);
  expect(browser.cookieHeader()).not.toBe('');

  // The active one is paused, and another has its place when it goes on: it ends its core and keeps what that had counted.
  active.core.move('users', 'a', 10, 20);
  const open = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  const late = first.store.write(async (trx) => {
    await trx.insertInto('settings').values({ key: 'late', value: '' }).execute();
    open.resolve();
    await goOn.promise;
  });
  const lateEnd = late.catch(isDatabaseAway);
  await open.promise;
  const thief = await depose();
  expect(await first.over).toBe('next');
  goOn.resolve();
  // What it had begun cannot be committed any more.
  expect(await lateEnd).toBe(true);
  await first.close();
  expect(active.core.status().state).toBe('stop');
  expect(existsSync(join(folders[0]!, 'unbooked-counters.json'))).toBe(true);
  await thief.release();
  expect(await second.over).toBe('next');
  await second.close();
  const next = await startAt(folder, true);
  expect(next.isStandby).toBe(false);
  // Its own core counts from zero. The name that the first core counted under is another client's by now.
  next.panel.core.start();
  next.panel.core.move('users', 'a', 1, 2);
  await next.panel.tick();
  const { client } = await next.panel.read<{ client: object }>('/clients/get/a');
  await next.panel.done('/clients/update/a', { ...client, email: 'b' });
  await next.panel.add({ email: 'a' }, [inboundId]);
  const again = await startAt(folders[0]!, true);
  expect(again.isStandby).toBe(true);
  await again.panel.app.coreBooted;
  expect(await next.panel.read('/clients/traffic/b')).toMatchObject({ up: 111, down: 1_022 });
  expect(await next.panel.read('/clients/traffic/a')).toMatchObject({ up: 0, down: 0 });
  expect(existsSync(join(folders[0]!, 'unbooked-counters.json'))).toBe(false);
  const { rows } = await sql<{ up: number }>`SELECT sum(upBytes) AS up FROM trafficLedger`.execute(next.store.reader);
  expect(rows).toEqual([{ up: 111 }]);
  expect(await next.store.reader.selectFrom('settings').select('key').where('key', '=', 'late').execute()).toEqual([]);
  // One source for readers, whichever server counted.
  const { sources } = await next.panel.read<{ sources: { guid: string }[] }>('/traffic/history?subject=all&period=day');
  expect(new Set(sources.map(({ guid }) => guid)).size).toBeLessThanOrEqual(1);
});

test('whoever starts at once on an empty or an older database: one is active, the other stands by', async () => {
  await dropDatabase(folders[0]!);
  await copyDatabase('template0', folders[0]!);
  const folder = await anotherFolder();
  for (const round of ['empty', 'older']) {
    const both = await Promise.all([startAt(folders[0]!), startAt(folder)]);
    expect([round, both.filter(({ isStandby }) => isStandby).length]).toEqual([round, 1]);
    for (const { close } of both) await close();
    await replaceSchema(341);
  }
});

test('what is acknowledged while the place changes hands is there once, and no caller sees more than a refusal', async () => {
  const first = await startAt(folders[0]!);
  const inboundId = await first.panel.inbound(20_443);
  const second = await startAt(await anotherFolder());
  const codes = new Set<string>();
  const acknowledged: string[] = [];
  let writer = first.panel;
  const over = new AbortController();
  async function keepAdding(name: string): Promise<void> {
    for (let at = 0; !over.signal.aborted; at++) {
      const email = `${name}-${at}`;
      try {
        const added = await writer.post('/clients/add', { client: { email }, inboundIds: [inboundId] });
        if (!added.success) codes.add(added.error?.code ?? 'none');
        else {
          acknowledged.push(email);
          await writer.post(`/clients/resetTraffic/${email}`);
          await writer.post('/clients/bulkAdjust', { emails: [email], addDays: 0, addBytes: 1_000 });
          await second.panel.post(`/clients/del/${email}`).then(({ error }) => codes.add(error?.code ?? 'none'));
        }
      } catch {
        // The panel is closed by now.
        await new Promise(setImmediate);
      }
    }
  }
  const adding = Promise.all(['x', 'y', 'z'].map(keepAdding));
  await expect.poll(() => acknowledged.length, { timeout: 20_000 }).toBeGreaterThan(20);
  const thief = await depose();
  await first.over;
  await first.close();
  await thief.release();
  await second.over;
  await second.close();
  const next = await startAt(folders[1]!, true);
  const had = acknowledged.length;
  writer = next.panel;
  await expect.poll(() => acknowledged.length, { timeout: 20_000 }).toBeGreaterThan(had + 5);
  over.abort();
  await adding;
  const emails = (await next.panel.read<{ email: string }[]>('/clients/list')).map(({ email }) => email);
  expect(acknowledged.filter((email) => !emails.includes(email))).toEqual([]);
  expect(new Set(emails).size).toBe(emails.length);
  expect(
    [...codes].sort().filter((code) => !['store.away', 'store.standby', 'clients.emailTaken'].includes(code)),
  ).toEqual([]);
});
