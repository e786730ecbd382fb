import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { randomBytes } from 'node:crypto';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { afterTest, testFolder } from '../../../src-server/testing/for-each-test.ts';
import { API_TOKEN } from '../../../src-server/testing/credentials.ts';
import { openPanel, type TestPanel } from '../../../src-server/testing/panels/open-panel.ts';
import type { BackupEntry, PartsRequest, PartsPlan } from '../../bridge/maintenance.ts';
import { target } from '../testing-target.ts';
import { openSealedStore } from '../store/sealed-store.ts';
import type { Requests, MaintenanceVerb } from '../maintenance/messages.ts';
import { createWork, type Work } from '../maintenance/task-work.ts';
import { otherLayout } from './other-layout.ts';
import { makeBackupKey, type BackupKey } from './sealed-file.ts';

const HEAD_ALONE = Buffer.from('SQLite format 3\0');
const KEEP = { daily: 7, weekly: 4, monthly: 12 };
const THEIRS = new URL('../../../src-server/domains/import/fixtures/other-panel.db.gz', import.meta.url);

let folder: string;
let work: Work;
let key: BackupKey;
let nowMs: number;

beforeEach(async () => {
  folder = await testFolder();
  nowMs = Date.now();
  work = createWork({
    folder: join(folder, 'backups'),
    history: openSealedStore(null, randomBytes(32)),
    program: () => Promise.reject(new Error('no core')),
    clock: () => nowMs,
  });
  key = await makeBackupKey();
  work.setKey(key);
});
afterEach(async () => {
  work.close();
});

const run = <V extends MaintenanceVerb>(
  verb: V,
  params: Requests[V]['params'],
  signal = new AbortController().signal,
) => work.run({ verb, params } as never, { signal, onProgress: () => undefined }) as Promise<Requests[V]['result']>;
const pull = (panelId: string, signal?: AbortSignal): Promise<BackupEntry> =>
  run('pull', { panelId, name: panelId, keep: KEEP }, signal);
const verdicts = ({ parts }: PartsPlan): string[] =>
  parts.map(({ kind, name, verdict }) => `${kind} ${name} ${verdict}`);

async function open(): Promise<TestPanel> {
  const panel = await openPanel({ startMs: Date.now() });
  afterTest(() => panel.close());
  return panel;
}

it('a backup arrives sealed, is opened and checked, and single parts of it are restored into a panel', async () => {
  const panel = await open();
  const door = await panel.inbound(4430, { remark: 'Front door' });
  await panel.add({ email: 'ali@example.org', subId: 'sub-ali', comment: 'paid', totalGB: 5000 }, [door]);
  await panel.add({ email: 'sara@example.org', subId: 'sub-sara' }, [door]);
  await panel.done('/clients/updateTraffic/ali%40example.org', { upload: 700, download: 1300 });
  work.setTargets([target('ours', panel.app.panel.url)]);
  const before = await panel.read<{ client: { uuid: string } }>('/clients/get/ali%40example.org');

  const entry = await pull('ours');
  expect(entry).toMatchObject({ panelId: 'ours', state: 'good', inbounds: 1, clients: 2, words: '' });
  for (const name of await readdir(join(folder, 'backups', 'ours'))) {
    const bytes = await readFile(join(folder, 'backups', 'ours', name));
    for (const known of ['SQLite format', 'ali@example.org', before.client.uuid, key.identity])
      expect(bytes.includes(known)).toBe(false);
  }

  const backup = { panelId: 'ours', takenAtMs: entry.takenAtMs };
  const contents = await run('contents', { ...backup, text: 'PAID' });
  expect(contents.inbounds).toMatchObject([{ name: 'Front door', port: 4430, clientCount: 2 }]);
  expect(contents).toMatchObject({ clients: [{ email: 'ali@example.org', comment: 'paid' }], foundClients: 1 });
  const { tag } = contents.inbounds[0]!;
  const parts = (more: Partial<PartsRequest>): PartsRequest => ({
    ...backup,
    toId: 'ours',
    inbounds: [],
    clients: [],
    ...more,
  });

  // What exists is refused, and nothing is touched.
  const clash = await run('plan', parts({ inbounds: [tag], clients: ['ali@example.org', 'nobody@example.org'] }));
  expect([clash.canRun, ...verdicts(clash)]).toEqual([
    false,
    'inbound Front door tagTaken',
    'client ali@example.org clientThere',
    'client nobody@example.org notInBackup',
  ]);
  await expect(run('parts', parts({ inbounds: [tag] }))).rejects.toThrow('changed since the plan');

  // A client that was deleted comes back with its secret, its limits and its counters.
  await panel.done('/clients/del/ali%40example.org');
  await run('parts', parts({ clients: ['ali@example.org'] }));
  const after = await panel.read('/clients/get/ali%40example.org');
  expect(after).toMatchObject({ client: { uuid: before.client.uuid, totalGB: 5000 }, inboundIds: [door] });
  expect(await panel.read('/clients/traffic/ali%40example.org')).toMatchObject({ up: 700, down: 1300 });

  // An inbound comes back with its clients; a client that is on another inbound meanwhile stays as it is.
  const side = await panel.inbound(4431, { remark: 'Side' });
  await panel.done(`/clients/${encodeURIComponent('sara@example.org')}/attach`, { inboundIds: [side] });
  await panel.done('/clients/del/ali%40example.org');
  await panel.done(`/inbounds/del/${door}`);
  expect(verdicts(await run('plan', parts({ clients: ['ali@example.org'] })))).toEqual([
    'client ali@example.org inboundMissing',
  ]);
  const plan = await run('plan', parts({ inbounds: [tag] }));
  expect([plan.canRun, ...verdicts(plan)]).toEqual([
    true,
    'inbound Front door create',
    'client ali@example.org create',
    'client sara@example.org stays',
  ]);
  await run('parts', parts({ inbounds: [tag] }));
  const again = await panel.read<{ inboundIds: number[]; client: { uuid: string } }>('/clients/get/ali%40example.org');
  expect(again.client.uuid).toBe(before.client.uuid);
  expect(again.inboundIds).not.toContain(door);

  // Half of it fails: what was created is deleted again.
  await panel.done('/clients/del/ali%40example.org');
  await panel.done(`/inbounds/del/${again.inboundIds[0]}`);
  const ending = new AbortController();
  const half = work.run(
    { verb: 'parts', params: parts({ inbounds: [tag] }) },
    { signal: ending.signal, onProgress: () => ending.abort(new Error('cancelled')) },
  );
  await expect(half).rejects.toThrow('cancelled');
  expect((await panel.read<{ remark: string }[]>('/inbounds/list')).map(({ remark }) => remark)).toEqual(['Side']);
});

it('a part comes back with all that it had: hosts, rules, keys, renewal, external links, counters', async () => {
  const panel = await open();
  const child = await panel.inbound(4430, { remark: 'Child', listen: '127.0.0.1' });
  const door = await panel.inbound(4431, { protocol: 'trojan', remark: 'Door', settings: {}, up: 5, down: 6 });
  const settings = { method: '2022-blake3-aes-128-gcm', password: 'AQEBAQEBAQEBAQEBAQEBAQ==' };
  const modern = await panel.inbound(4432, { protocol: 'shadowsocks', remark: 'Modern', settings });
  await panel.done('/hosts/add', { inboundId: door, remark: 'Front', address: 'front.example', sni: 'sni.example' });
  await panel.done(`/inbounds/${door}/fallbacks`, { fallbacks: [{ childId: child, path: '/c' }, { dest: '8081' }] });
  const createdAtMs = Date.now() - 1e9;
  const limits = { resetDay: 5, expiryTime: Date.now() + 1e9, totalGB: 5, reverse: { tag: 'home' } };
  await panel.add({ email: 'Ali', subId: 'sub-ali', password: 'pw', created_at: createdAtMs, ...limits }, [
    door,
    modern,
  ]);
  await panel.done('/clients/updateTraffic/Ali', { upload: 3, download: 4 });
  await panel.tick();
  await panel.done('/clients/Ali/externalLinks', {
    externalLinks: [{ kind: 'subscription', value: 'https://else.example/s', remark: 'Else' }],
  });
  work.setTargets([target('ours', panel.app.panel.url)]);
  interface Rows {
    inbounds: { tag: string; remark: string; up: number; settings: { clients: object[] } }[];
    hosts: object[];
    fallbacks: object[];
    client: object;
    state: object | undefined;
  }
  const all = async (): Promise<Rows> => {
    const inbounds = (await panel.read<(Rows['inbounds'][number] & { id: number })[]>('/inbounds/list')).toSorted(
      (one, other) => (one.remark < other.remark ? -1 : 1),
    );
    const ids = new Map(inbounds.map(({ id, remark }) => [id, remark]));
    const doorId = inbounds.find(({ remark }) => remark === 'Door')!.id;
    const read = await panel.read<{ client: { recordId: number; updatedAt: number }; externalLinks: object[] }>(
      '/clients/get/Ali',
    );
    const { recordId: _id, updatedAt: _at, ...client } = read.client;
    const state = (await panel.state('Ali'))!;
    return {
      inbounds: inbounds.map(({ tag, remark, up, settings: { clients } }) => ({
        tag,
        remark,
        up,
        settings: { clients: clients.map((entry) => ({ ...entry, updated_at: 0 })) },
      })),
      hosts: (await panel.read<Record<string, unknown>[]>('/hosts/list')).map(({ remark, address, sni }) => ({
        remark,
        address,
        sni,
      })),
      fallbacks: (
        await panel.read<{ childId: number; path: string; dest: string }[]>(`/inbounds/${doorId}/fallbacks`)
      ).map(({ childId, path, dest }) => ({ child: ids.get(childId), path, dest })),
      client: { ...client, externalLinks: read.externalLinks },
      state: { disabledBy: state.disabledBy, upBytes: state.upBytes, downBytes: state.downBytes },
    };
  };
  const before = await all();
  expect(before).toMatchObject({ hosts: [{}], fallbacks: [{ child: 'Child' }, {}], state: { disabledBy: 'loop' } });

  const { takenAtMs } = await pull('ours');
  const tags = before.inbounds.filter(({ remark }) => remark !== 'Child').map(({ tag }) => tag);
  const parts: PartsRequest = { panelId: 'ours', takenAtMs, toId: 'ours', inbounds: tags, clients: [] };
  await panel.done('/clients/del/Ali');
  for (const id of [door, modern]) await panel.done(`/inbounds/del/${id}`);
  // Meanwhile it was made again, in another case: it stays, and is not mixed with the one of the backup.
  await panel.add({ email: 'ali', subId: 'sub-ali' }, [child]);
  expect(verdicts(await run('plan', parts))).toContain('client Ali stays');
  await panel.done('/clients/del/ali');

  await run('parts', parts);
  expect(await all()).toEqual(before);
});

it('two inbounds that share a port over TCP and UDP come back together, beside one of a node', async () => {
  const panel = await open();
  await panel.inbound(4430, { remark: 'Tcp', tag: 'tcp' });
  const settings = { method: 'aes-256-gcm', password: 'pw', network: 'udp' };
  await panel.inbound(4430, { remark: 'Udp', tag: 'udp', protocol: 'shadowsocks', settings });
  work.setTargets([target('ours', panel.app.panel.url)]);
  const { takenAtMs } = await pull('ours');
  for (const { id } of await panel.read<{ id: number }[]>('/inbounds/list')) await panel.done(`/inbounds/del/${id}`);
  await panel.inbound(4430, { remark: 'Far', nodeId: await panel.unreachableNode() });
  const parts: PartsRequest = { panelId: 'ours', takenAtMs, toId: 'ours', inbounds: ['tcp', 'udp'], clients: [] };
  expect(verdicts(await run('plan', parts))).toEqual(['inbound Tcp create', 'inbound Udp create']);
  await run('parts', parts);
  expect(await panel.read('/inbounds/list')).toMatchObject([
    {},
    { tag: 'tcp', port: 4430 },
    { tag: 'udp', port: 4430 },
  ]);
});

it('a part whose answer was lost is taken back like the others', async () => {
  const panel = await open();
  const door = await panel.inbound(4430, { remark: 'Door' });
  await panel.add({ email: 'ali', subId: 'sub-ali' }, [door]);
  let lost = '';
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const { authorization = '' } = request.headers;
      const body = request.method === 'POST' ? { body: Buffer.concat(pieces) } : {};
      const headers = { authorization, 'content-type': request.headers['content-type'] ?? 'application/json' };
      void fetch(new URL(request.url!, panel.app.panel.url), { method: request.method!, headers, ...body }).then(
        async (answer) => {
          const content = Buffer.from(await answer.arrayBuffer());
          if (lost !== '' && request.url!.endsWith(lost)) {
            request.socket.destroy();
            return;
          }
          response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
          response.end(content);
        },
      );
    });
  });
  await new Promise<void>((listening) => void server.listen(0, '127.0.0.1', listening));
  afterTest(async () => void server.close());
  work.setTargets([target('ours', `http://127.0.0.1:${(server.address() as AddressInfo).port}/`)]);
  const { takenAtMs } = await pull('ours');
  const [{ tag }] = await panel.read<[{ tag: string }]>('/inbounds/list');
  await panel.done('/clients/del/ali');
  await panel.done(`/inbounds/del/${door}`);
  const parts: PartsRequest = { panelId: 'ours', takenAtMs, toId: 'ours', inbounds: [tag], clients: [] };
  for (lost of ['/inbounds/add', '/clients/add']) {
    await expect(run('parts', parts)).rejects.toThrow();
    expect([await panel.read('/inbounds/list'), await panel.read('/clients/list')]).toEqual([[], []]);
  }
  lost = '';
  await run('parts', parts);
  expect(await panel.read('/clients/list')).toMatchObject([{ email: 'ali' }]);
});

it('a damaged or foreign backup, or one without a database, is reported, kept aside, never restored', async () => {
  const [ours, another] = [await open(), await open()];
  another.write(`UPDATE settings SET value = 'other-guid' WHERE key = 'panelGuid'`);
  work.setTargets([target('ours', ours.app.panel.url)]);
  const { takenAtMs } = await pull('ours');
  const sealed = join(folder, 'backups', 'ours', `${takenAtMs}.age`);
  const bytes = await readFile(sealed);
  bytes[bytes.length - 40]! ^= 1;
  await writeFile(sealed, bytes);
  const backup = { panelId: 'ours', takenAtMs };
  expect(await run('check', backup)).toMatchObject({
    state: 'damaged',
    words: expect.stringContaining('cannot be opened'),
  });
  await expect(run('restore', { ...backup, toId: 'ours' })).rejects.toThrow('cannot be opened');
  await expect(run('contents', { ...backup, text: '' })).rejects.toThrow();

  // Reports one identity but serves another's database; then a page instead of a database; then nothing more.
  const bodies: Record<string, () => Promise<Buffer>> = {
    '/panel/api/server/getDb': async () =>
      Buffer.from(
        await (
          await fetch(new URL('panel/api/server/getDb', another.app.panel.url), {
            headers: { authorization: `Bearer ${API_TOKEN}` },
          })
        ).arrayBuffer(),
      ),
  };
  const front = createServer((request, response) => {
    const read = bodies[request.url!];
    const obj = request.url!.includes('status') ? { panelGuid: 'guid-of-ours' } : [];
    if (read === undefined) {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ success: true, msg: '', obj }));
      return;
    }
    void read().then((body) => {
      response.writeHead(200, { 'content-length': Math.max(body.length, 100) });
      // One that ends before it is complete.
      response.write(body, () => (body.length < 100 ? response.destroy() : response.end()));
    });
  });
  await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve));
  afterTest(() => {
    front.closeAllConnections();
    front.close();
  });
  work.setTargets([target('front', `http://127.0.0.1:${(front.address() as AddressInfo).port}/`)]);
  await expect(pull('front')).rejects.toThrow('another panel');
  bodies['/panel/api/server/getDb'] = async () =>
    Buffer.from('<html>a captive portal that asks to sign in</html>'.padEnd(200));
  await expect(pull('front')).rejects.toThrow('no SQLite database');
  bodies['/panel/api/server/getDb'] = async () => HEAD_ALONE;
  await expect(pull('front')).rejects.toThrow();
  const { entries, failures } = await run('backups', null);
  expect(entries.filter(({ panelId }) => panelId === 'front').map(({ state }) => state)).toEqual(['damaged']);
  expect(failures.map(({ panelId }) => panelId)).toEqual(['front']);
  expect(await readdir(join(folder, 'backups', 'front'))).not.toContainEqual(expect.stringMatching(/\.part$/));
});

it('a backup is cancelled at once, whether it waits for its turn or for its panel', async () => {
  const silent = createServer(() => undefined);
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  afterTest(() => {
    silent.closeAllConnections();
    silent.close();
  });
  const address = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/`;
  work.setTargets(['first', 'second', 'third'].map((id) => target(id, address)));
  const others = new AbortController();
  const running = ['first', 'second'].map((panelId) =>
    pull(panelId, others.signal).catch((error: Error) => error.message),
  );
  const ending = new AbortController();
  const third = run('pull', { panelId: 'third', name: 'third', keep: KEEP }, ending.signal);
  ending.abort(new Error('cancelled'));
  const ended = await Promise.race([...running, third.catch((error: Error) => error.message)]);
  expect(ended).toBe('cancelled');
  others.abort(new Error('cancelled'));
  expect(await Promise.all(running)).toEqual(Array(2).fill('The operation was aborted'));
});

it('a failure counts on a full disk, too: without it the schedule would try again each minute', async () => {
  const panel = await open();
  work.setTargets([target('ours', panel.app.panel.url)]);
  await writeFile(join(folder, 'backups'), 'a file where the folder would be');
  await expect(pull('ours')).rejects.toThrow();
  const failures = async () => (await run('backups', null)).failures;
  expect(await failures()).toEqual([{ panelId: 'ours', atMs: nowMs, words: expect.stringMatching(/./) }]);
  await rm(join(folder, 'backups'));
  await pull('ours');
  expect(await failures()).toEqual([]);
});

it('an export that fails leaves the file that was there before', async () => {
  const panel = await open();
  work.setTargets([target('ours', panel.app.panel.url)]);
  const { takenAtMs } = await pull('ours');
  const file = join(folder, 'copy.db');
  await writeFile(file, 'the export of yesterday');
  const ended = AbortSignal.abort(new Error('cancelled'));
  await expect(run('export', { panelId: 'ours', takenAtMs, file }, ended)).rejects.toThrow();
  expect(await readFile(file, 'utf8')).toBe('the export of yesterday');
  expect(await readdir(folder)).toEqual(['backups', 'copy.db']);
  await run('export', { panelId: 'ours', takenAtMs, file });
  expect((await readFile(file)).subarray(0, 6).toString()).toBe('SQLite');
});

it('an intact backup replaces all data of a panel, through the panel’s own import', async () => {
  const panel = await open();
  await panel.inbound(4430, { remark: 'Front door' });
  work.setTargets([target('ours', panel.app.panel.url)]);
  const { takenAtMs } = await pull('ours');
  await panel.inbound(4431, { remark: 'Later' });
  await run('restore', { panelId: 'ours', takenAtMs, toId: 'ours' });
  // It waits for the restart that the panel asks for.
  const staged = (await readdir(panel.dataDir, { recursive: true })).find((name) => name.endsWith('staged.db'));
  const restored = new Database(join(panel.dataDir, staged!), { readonly: true });
  afterTest(() => restored.close());
  expect(restored.prepare('SELECT remark FROM inbounds').pluck().all()).toEqual(['Front door']);
});

it('without a private key backups are taken but not opened; without any key none are taken', async () => {
  const panel = await open();
  work.setTargets([target('ours', panel.app.panel.url)]);
  work.setKey({ ...key, identity: '' });
  const { takenAtMs, state } = await pull('ours');
  expect(state).toBe('unchecked');
  const backup = { panelId: 'ours', takenAtMs };
  await expect(run('contents', { ...backup, text: '' })).rejects.toThrow('passphrase');
  work.setKey(key);
  expect(await run('check', backup)).toMatchObject({ state: 'good' });
  const file = join(folder, 'copy.db');
  await run('export', { ...backup, file });
  const copy = new Database(file, { readonly: true });
  expect(copy.pragma('integrity_check', { simple: true })).toBe('ok');
  copy.close();
  work.setKey(null);
  await expect(pull('ours')).rejects.toThrow('set a passphrase');
  nowMs += 60 * 86_400_000;
  work.setKey(key);
  const newest = await pull('ours');
  expect((await run('backups', null)).entries.map((entry) => entry.takenAtMs)).toEqual([newest.takenAtMs, takenAtMs]);
});

it('reads another maker’s database: inbounds, clients in their settings, counters', async () => {
  const file = join(folder, 'theirs.db');
  await writeFile(file, gunzipSync(await readFile(THEIRS)));
  const db = new Database(file, { readonly: true });
  afterTest(() => db.close());
  const kept = otherLayout(db);
  const inbounds = kept.inbounds();
  expect(inbounds.length).toBeGreaterThan(0);
  const { email, tags } = [...kept.clients()][0]!;
  expect(kept.emailsOf(tags[0]!)).toContain(email);
  expect(kept.client(email)!.client).toMatchObject({ email, subId: expect.stringMatching(/./) });
  for (const { body } of inbounds) expect(JSON.stringify(body['settings'])).not.toContain('"clients');
});
