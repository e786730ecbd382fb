import { existsSync } from 'node:fs';
import { utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { isDatabaseAway } from '../../contract/database-away.ts';
import { readOwn } from '../../domains/import/prepare-import.ts';
import { isImportWaiting, makeImportFolder, stageImport } from '../../store/waiting-import.ts';
import { API_TOKEN } from '../../testing/credentials.ts';
import { openSharedDatabase, type SharedDatabase } from '../../testing/panels/shared-database.ts';
import { copyDatabase, dropDatabase } from '../../testing/postgres/databases.ts';
import { openOlderSchema } from '../../testing/postgres/older-schema.ts';

let shared: SharedDatabase;
beforeEach(async () => void (shared = await openSharedDatabase()));
afterEach(() => shared.close());

const replaceSchema = async (version: number): Promise<void> =>
  (await openOlderSchema(shared.database, shared.log, version)).close();

const status = async (url: string, path: string, method = 'GET'): Promise<number> =>
  (await fetch(new URL(`panel/api${path}`, url), { method, headers: { authorization: `Bearer ${API_TOKEN}` } })).status;

const orderOf = async (url: string): Promise<string | null> =>
  (
    await fetch(new URL('panel/api/inbounds/list', url), { headers: { authorization: `Bearer ${API_TOKEN}` } })
  ).headers.get('x-answer-order');

test('of two panels one is active; the other answers every read, changes nothing, and takes over with every byte', async () => {
  const first = await shared.startAt(shared.first);
  expect(first.isStandby).toBe(false);
  const { panel: active } = first;
  const inboundId = await active.inbound(20_443);
  await active.add({ email: 'a' }, [inboundId]);
  active.core.start();
  active.core.move('users', 'a', 100, 1_000);
  await active.tick();

  const stranger = await shared.anotherFolder(false);
  await expect(shared.startAt(stranger)).rejects.toMatchObject({ code: 'store.otherKey' });
  const folder = await shared.anotherFolder();
  const second = await shared.startAt(folder);
  expect(second.isStandby).toBe(true);
  const { panel: standby } = second;
  expect(await standby.read('/server/status')).toMatchObject({ standby: { address: active.app.panel.url } });
  expect(await standby.done('/clients/onlines')).toEqual([]);
  // A master that reaches it for a while does not take the active one's responses for replays afterwards.
  expect(await orderOf(active.app.panel.url)).not.toBeNull();
  expect(await orderOf(standby.app.panel.url)).toBeNull();
  expect(await standby.read('/clients/traffic/a')).toMatchObject({ up: 100, down: 1_000 });
  const { endpoints } = standby.app.mounted;
  const plain = endpoints.filter(({ path }) => path.startsWith('/panel/api/') && !path.includes(':'));
  for (const { method, path, onStandby } of plain) {
    const responseStatus = await status(standby.app.panel.url, path.replace('/panel/api', ''), method);
    if (method !== 'GET' && onStandby === undefined) expect([path, responseStatus]).toEqual([path, 503]);
    else expect([path, responseStatus < 500]).toEqual([path, true]);
  }
  expect(await standby.post('/clients/del/a')).toMatchObject({
    success: false,
    error: { code: 'store.standby', params: { address: active.app.panel.url } },
  });
  // A browser signs in here too; the active panel knows at once.
  const browser = await standby.signedIn();
  expect(await standby.read('/setting/sessions')).toHaveLength(1);
  expect(browser.cookieHeader()).not.toBe('');

  // The active panel is paused, and another has its place when it resumes: it ends its core and keeps what that had
  // counted.
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
  const thief = await shared.depose();
  expect(await first.over).toBe('next');
  goOn.resolve();
  // What it had begun can no longer be committed.
  expect(await lateEnd).toBe(true);
  await first.close();
  expect(active.core.status().state).toBe('stop');
  expect(existsSync(join(shared.first, 'unbooked-counters.json'))).toBe(true);
  await thief.release();
  expect(await second.over).toBe('next');
  await second.close();
  const next = await shared.startAt(folder, true);
  expect(next.isStandby).toBe(false);
  // Its own core counts from zero. The name that the first core counted under belongs to another client by now.
  next.panel.core.start();
  next.panel.core.move('users', 'a', 1, 2);
  await next.panel.tick();
  const { client } = await next.panel.read<{ client: object }>('/clients/get/a');
  await next.panel.done('/clients/update/a', { ...client, email: 'b' });
  await next.panel.add({ email: 'a' }, [inboundId]);
  const again = await shared.startAt(shared.first, true);
  expect(again.isStandby).toBe(true);
  await again.panel.app.coreBooted;
  expect(await next.panel.read('/clients/traffic/b')).toMatchObject({ up: 111, down: 1_022 });
  expect(await next.panel.read('/clients/traffic/a')).toMatchObject({ up: 0, down: 0 });
  expect(existsSync(join(shared.first, 'unbooked-counters.json'))).toBe(false);
  const { rows } = await sql<{ up: number }>`SELECT sum(upBytes) AS up FROM trafficLedger`.execute(next.store.reader);
  expect(rows).toEqual([{ up: 111 }]);
  expect(await next.store.reader.selectFrom('settings').select('key').where('key', '=', 'late').execute()).toEqual([]);
  // Readers see one source, whichever server counted.
  const { sources } = await next.panel.read<{ sources: { guid: string }[] }>('/traffic/history?subject=all&period=day');
  expect(new Set(sources.map(({ guid }) => guid)).size).toBeLessThanOrEqual(1);
});

test('two panels started at once on an empty or an older database: one is active, the other stands by', async () => {
  await dropDatabase(shared.first);
  await copyDatabase('template0', shared.first);
  const folder = await shared.anotherFolder();
  for (const round of ['empty', 'older']) {
    const both = await Promise.all([shared.startAt(shared.first), shared.startAt(folder)]);
    expect([round, both.filter(({ isStandby }) => isStandby).length]).toEqual([round, 1]);
    for (const { close } of both) await close();
    await replaceSchema(341);
  }
});

test('a change acknowledged during a takeover is there once, and callers see nothing worse than a refusal', async () => {
  const first = await shared.startAt(shared.first);
  const inboundId = await first.panel.inbound(20_443);
  const folder = await shared.anotherFolder();
  const second = await shared.startAt(folder);
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
  const thief = await shared.depose();
  await first.over;
  await first.close();
  await thief.release();
  await second.over;
  await second.close();
  const next = await shared.startAt(folder, true);
  const had = acknowledged.length;
  writer = next.panel;
  await expect.poll(() => acknowledged.length, { timeout: 20_000 }).toBeGreaterThan(had + 5);
  over.abort();
  await adding;
  const emails = (await next.panel.read<{ email: string }[]>('/clients/list')).map(({ email }) => email);
  expect(acknowledged.filter((email) => !emails.includes(email))).toEqual([]);
  expect(new Set(emails).size).toBe(emails.length);
  expect([...codes].sort().filter((code) => !['store.away', 'store.standby'].includes(code))).toEqual([]);
});

test('an import that waited while another panel was active would undo what was done there: it is dropped', async () => {
  const first = await shared.startAt(shared.first);
  const inboundId = await first.panel.inbound(20_443);
  const folder = await makeImportFolder(shared.first);
  await first.store.copyTo(join(folder, 'copy.db'));
  const { lastActiveMs } = await readOwn(first.store.reader);
  await stageImport(shared.first, join(folder, 'copy.db'), { lastActiveMs });
  // As if the other one's clock were behind.
  await utimes(join(folder, 'waiting.json'), 4_000_000_000, 4_000_000_000);
  await first.close();
  const second = await shared.startAt(await shared.anotherFolder());
  await second.panel.add({ email: 'later' }, [inboundId]);
  await second.close();
  const again = await shared.startAt(shared.first);
  expect([again.isStandby, isImportWaiting(shared.first)]).toEqual([false, false]);
  expect(await again.panel.state('later')).toMatchObject({ enable: 1 });
});
