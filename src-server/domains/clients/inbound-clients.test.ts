import { beforeEach, expect, test } from 'vitest';
import type { JsonObject } from '../../contract/json.ts';
import { DomainError } from '../../contract/domain-error.ts';
import { ValidationError } from '../../contract/envelope.ts';
import { foldText } from '../../store/fold-text.ts';
import { forEachTest } from '../../testing/for-each-test.ts';
import { REALITY, startClientPanel, WEBSOCKET } from '../../testing/panels/client-panel.ts';
import { storeSightings } from '../clientIps/repository.ts';
import type { ClientHost, ImportedStats, InboundClientPort } from '../inbounds/client-port.ts';

let port: InboundClientPort;
const panel = forEachTest(startClientPanel);
beforeEach(async () => {
  port = panel.service.inboundClients;
});

const UUID = 'e18c9a96-71bf-48d4-933f-8b9a46d4290c';

async function host(protocol = 'vless', settings: JsonObject = {}, stream: JsonObject = {}): Promise<ClientHost> {
  return { id: await panel.inbound(protocol, settings, stream), protocol, settings, streamSettings: stream };
}

async function attach(
  inbound: ClientHost,
  entries: JsonObject[],
  mode: 'add' | 'replace' | 'import' = 'add',
  clientStats: ImportedStats[] = [],
): Promise<string[]> {
  const options = { mode, nowMs: panel.time.nowMs, clientStats };
  const { emails } = await panel.store.write((trx) => port.attachEntries(trx, inbound, entries, options));
  port.noteCommitted();
  return emails;
}

const seen = (...emails: string[]) =>
  panel.store.write((trx) =>
    storeSightings(
      trx,
      emails.map((email) => ({ email, emailKey: foldText(email), guid: 'g', ip: '203.0.113.9', seenAtSec: 1 })),
    ),
  );

async function seenEmails(): Promise<string[]> {
  const rows = await panel.store.reader.selectFrom('clientAddresses').select('emailKey').orderBy('emailKey').execute();
  return rows.map(({ emailKey }) => emailKey);
}

async function codeOf(work: Promise<unknown>): Promise<string> {
  const error: unknown = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (error instanceof DomainError) return `${error.code} ${Object.values(error.params).join(' ')}`;
  throw error;
}

test('an imported client that is off and over its limits counts as disabled by them', async () => {
  const inbound = await host('vless');
  const nowMs = panel.time.nowMs;
  const stats = (email: string, up: number) => ({ email, up, down: 1, lastOnline: 0 });
  const entries = [
    { email: 'byHand', enable: false, totalGB: 10, expiryTime: nowMs + 1 },
    { email: 'usedUp', enable: false, totalGB: 10, reset: 30, expiryTime: nowMs + 1 },
    { email: 'expired', enable: false, expiryTime: nowMs },
    { email: 'said', enable: false, expiryTime: nowMs, disabledBy: 'admin' },
    { email: 'on', totalGB: 10 },
  ];
  await attach(inbound, entries, 'import', [stats('byHand', 8), stats('USEDUP', 9), stats('on', 9)]);
  const found = [];
  for (const { email } of entries) found.push((await panel.stored(email))!.disabledBy);
  expect(found).toEqual(['admin', 'loop', 'loop', 'admin', '']);
});

test('entries of a new inbound create clients with the given values and generate the rest', async () => {
  const inbound = await host('vless', {}, REALITY);
  const entry = {
    id: UUID,
    flow: 'xtls-rprx-vision',
    email: 'a',
    limitIp: 1,
    totalGB: 2,
    expiryTime: 3,
    enable: false,
    tgId: '4',
    subId: 's',
    comment: 'c',
    reset: 5,
    group: 'g',
    created_at: 1_600_000_000_000,
    updated_at: 1,
    reverse: null,
    alterId: 0,
  };
  expect(await attach(inbound, [entry, { email: 'b' }])).toEqual(['a', 'b']);
  const [a, b] = (await port.composeEntries([inbound.id])).get(inbound.id)!;
  expect(a).toEqual({
    id: UUID,
    flow: 'xtls-rprx-vision',
    email: 'a',
    limitIp: 1,
    totalGB: 2,
    expiryTime: 3,
    enable: false,
    tgId: 4,
    subId: 's',
    comment: 'c',
    reset: 5,
    group: 'g',
    created_at: 1_600_000_000_000,
    updated_at: panel.time.nowMs,
  });
  expect(b).toMatchObject({ id: expect.stringMatching(/^[0-9a-f-]{36}$/), enable: true });
  const slim: object[] = [];
  for await (const page of port.slimEntryPages(inbound.id)) slim.push(...itemsOf(page));
  expect(slim).toEqual([
    { email: 'a', enable: false, comment: 'c' },
    { email: 'b', enable: true },
  ]);
  expect((await port.statsOf([inbound.id, 99], { overlay: false })).get(inbound.id)).toMatchObject([
    { email: 'a', inboundId: inbound.id, total: 2, reset: 5, subId: 's', uuid: UUID },
    { email: 'b' },
  ]);
  expect((await port.statsOf([99], { overlay: true })).get(99)).toEqual([]);
});

test.each(['x', '-1', -1, 1.5, true, {}, '9'.repeat(16)])('an entry with the tgId %j has none', async (tgId) => {
  const inbound = await host('vless');
  await attach(inbound, [{ email: 'a', tgId }]);
  expect(await panel.stored('a')).toMatchObject({ tgId: 0 });
});

const itemsOf = (page: Uint8Array): object[] => JSON.parse(`[${Buffer.from(page).toString()}]`) as object[];

test('pages of many clients contain each once, in order, whatever their texts', async () => {
  const inbound = await host('vless', { decryption: 'none' });
  const hostile = ['"', '\\', '\u0001\n\t\u007f', '</script>', "it's; --", '\u2028 ёж 狐 🦊', '{"a":[1]}', '?', '%s'];
  const entries = Array.from({ length: 2_100 }, (_, at) => ({
    email: `c${at}`,
    comment: hostile[at % hostile.length]!,
    group: at % 2 === 0 ? '"g"' : '',
    ...(at === 5 ? { reverse: { tag: 'the "way" back' } } : {}),
  }));
  await attach(inbound, entries);
  const listed: Record<string, unknown>[] = [];
  let pages = 0;
  for await (const page of port.entryPages(inbound.id)) {
    listed.push(...(itemsOf(page) as Record<string, unknown>[]));
    pages += 1;
  }
  expect(pages).toBeGreaterThan(2);
  expect(listed.map(({ email, comment, group = '' }) => ({ email, comment, group }))).toEqual(
    entries.map(({ email, comment, group }) => ({ email, comment, group })),
  );
  expect(listed.filter((entry) => 'reverse' in entry)).toEqual([
    expect.objectContaining({ email: 'c5', reverse: { tag: 'the "way" back' } }),
  ]);
  const stats: Record<string, unknown>[] = [];
  for await (const page of port.statsPages(inbound.id, { overlay: true, hasSecrets: false }))
    stats.push(...(itemsOf(page) as Record<string, unknown>[]));
  expect(stats).toHaveLength(2_100);
  expect(stats[7]).toMatchObject({ email: 'c7', uuid: '', subId: '', inboundId: inbound.id, enable: true });
});

test('keys per protocol', async () => {
  const key = Buffer.alloc(16, 1).toString('base64');
  const compose = async (protocol: string, settings: JsonObject, entry: JsonObject) => {
    const inbound = await host(protocol, settings);
    await attach(inbound, [{ email: `${protocol}${inbound.id}`, ...entry }]);
    return (await port.composeEntries([inbound.id])).get(inbound.id)![0]!;
  };
  expect(await compose('vmess', {}, { id: UUID })).toMatchObject({ id: UUID, security: 'auto' });
  expect(await compose('vless', {}, { reverse: { tag: 't' } })).toMatchObject({ flow: '', reverse: { tag: 't' } });
  expect(await compose('trojan', {}, { password: 'pw' })).toMatchObject({ password: 'pw' });
  expect(await compose('hysteria', {}, { auth: 'x' })).toMatchObject({ auth: 'x' });
  expect(await compose('shadowsocks', { method: 'aes-256-gcm' }, { password: 'pw', method: 'other' })).toMatchObject({
    method: 'aes-256-gcm',
    password: 'pw',
  });
  const modern = await compose('shadowsocks', { method: '2022-blake3-aes-128-gcm' }, { password: key });
  expect(modern['password']).toBe(key);
  expect(modern).not.toHaveProperty('method');
});

test('an existing e-mail is the same client only with an equal subId', async () => {
  const first = await host();
  const second = await host();
  await attach(first, [{ email: 'a', subId: 's', id: UUID }]);
  expect(await codeOf(attach(second, [{ email: 'A', subId: 'other' }]))).toBe('client.duplicateEmail A');
  expect(await codeOf(attach(second, [{ email: 'a' }]))).toBe('client.duplicateEmail a');
  expect(await codeOf(attach(second, [{ email: 'x', subId: 'q' }, { email: 'X' }]))).toBe('client.duplicateEmail X');
  expect(await panel.stored('x')).toBeNull();
  await attach(second, [
    { email: 'A', subId: 's' },
    { email: 'a', subId: 's' },
  ]);
  expect((await panel.stored('a'))!.links.map(({ inboundId }) => inboundId)).toEqual([first.id, second.id]);
});

test('every invalid field of every entry is named', async () => {
  const inbound = await host();
  const work = attach(inbound, [{ email: 'a' }, { email: 'b', totalGB: -1, flow: 'x' }]);
  const error: unknown = await work.catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ValidationError);
  expect((error as ValidationError).issues.map(({ field }) => field).sort()).toEqual([
    'settings.clients[1].flow',
    'settings.clients[1].totalGB',
  ]);
  expect(await panel.stored('a')).toBeNull();
});

test('replace: entries are authoritative; omitted values and times are kept', async () => {
  const inbound = await host('vless', {}, REALITY);
  const other = await host('vless');
  await attach(inbound, [
    { email: 'stays', subId: '1', totalGB: 5, comment: 'c' },
    { email: 'leaves' },
    { email: 'moves', subId: '3' },
  ]);
  await attach(other, [{ email: 'moves', subId: '3' }]);
  for (const email of ['stays', 'leaves', 'moves']) await panel.setState(email, { upBytes: 7 });
  await seen('stays', 'leaves', 'moves');
  panel.time.nowMs += 1000;
  const emails = await attach(
    inbound,
    [{ email: 'stays', limitIp: 2, flow: 'xtls-rprx-vision' }, { email: 'new' }],
    'replace',
  );
  expect(emails.toSorted()).toEqual(['leaves', 'moves', 'new', 'stays']);
  expect(await panel.stored('stays')).toMatchObject({
    quotaBytes: 5,
    comment: 'c',
    limitIp: 2,
    upBytes: 7,
    links: [{ flowOverride: 'xtls-rprx-vision' }],
  });
  expect(await panel.stored('leaves')).toMatchObject({ upBytes: 0, links: [] });
  expect(await seenEmails()).toEqual(['moves', 'stays']);
  expect(await panel.stored('moves')).toMatchObject({ upBytes: 7, links: [{ inboundId: other.id }] });
  expect(await panel.stored('new')).toMatchObject({ links: [{ inboundId: inbound.id }] });
});

test('replace: a client disabled only by its quota is enabled with a larger one', async () => {
  const inbound = await host();
  await attach(inbound, [{ email: 'a', totalGB: 5 }]);
  await panel.setState('a', { upBytes: 7, enable: 0, disabledBy: 'loop' });
  await attach(inbound, [{ email: 'a', enable: false, totalGB: 9 }], 'replace');
  expect(await panel.stored('a')).toMatchObject({ enable: 1, disabledBy: '', quotaBytes: 9 });
});

test('replace: entries read can be sent back unchanged', async () => {
  const trojan = await host('trojan');
  const modern = await host('shadowsocks', { method: '2022-blake3-aes-256-gcm' });
  await attach(trojan, [{ email: 'a', subId: 's', password: 'pw', created_at: 5 }]);
  await attach(modern, [{ email: 'a', subId: 's' }]);
  const before = await panel.stored('a');
  for (const inbound of [trojan, modern]) {
    const entries = (await port.composeEntries([inbound.id])).get(inbound.id)!;
    expect(await attach(inbound, entries, 'replace')).toEqual([]);
  }
  expect(await panel.stored('a')).toEqual(before);
});

test('replace: subIds stay unique and duplicates are refused', async () => {
  const inbound = await host();
  await attach(inbound, [
    { email: 'a', subId: '1' },
    { email: 'b', subId: '2' },
  ]);
  const replace = (entries: JsonObject[]) => codeOf(attach(inbound, entries, 'replace'));
  expect(await replace([{ email: 'a', subId: '2' }, { email: 'b' }])).toBe('client.duplicateSubId 2');
  expect(await replace([{ email: 'a', subId: '1' }, { email: 'A' }])).toBe('client.duplicateEmail A');
  expect(
    await replace([
      { email: 'a', id: UUID },
      { email: 'b', id: UUID },
    ]),
  ).toMatch(/^client.credentialTaken id/);
  expect((await panel.stored('b'))!.links).toHaveLength(1);
});

test('import: counters are taken over for clients that did not exist', async () => {
  const inbound = await host();
  const local = await host();
  await attach(local, [{ email: 'here', subId: 's' }]);
  await panel.setState('here', { upBytes: 3 });
  const stats = [
    { email: 'HERE', up: 100, down: 100, lastOnline: 9 },
    { email: 'new', up: 5, down: 6, lastOnline: 7 },
    { email: 'stranger', up: 1, down: 1, lastOnline: 1 },
  ];
  await attach(inbound, [{ email: 'here', subId: 's' }, { email: 'New' }], 'import', stats);
  expect(await panel.stored('here')).toMatchObject({ upBytes: 3, downBytes: 0 });
  expect(await panel.stored('New')).toMatchObject({ upBytes: 5, downBytes: 6, lastOnlineAtMs: 7 });
});

test('detachAll: clients attached elsewhere keep their traffic, the others lose it and stay as records', async () => {
  const first = await host('vless', {}, REALITY);
  const second = await host();
  await attach(first, [
    { email: 'both', subId: 's' },
    { email: 'one', group: 'g', flow: 'xtls-rprx-vision' },
  ]);
  await attach(second, [{ email: 'both', subId: 's' }]);
  await panel.setState('both', { upBytes: 1 });
  await panel.setState('one', { upBytes: 2, lastOnlineAtMs: 3 });
  await seen('both', 'ONE');
  await panel.store.write((trx) => port.detachAll(trx, first.id));
  expect(await seenEmails()).toEqual(['both']);
  expect(await panel.stored('both')).toMatchObject({ upBytes: 1, links: [{ inboundId: second.id }] });
  expect(await panel.stored('one')).toMatchObject({
    upBytes: 0,
    lastOnlineAtMs: 0,
    flow: 'xtls-rprx-vision',
    links: [],
  });
  expect(await panel.store.reader.selectFrom('clientGroups').selectAll().execute()).toMatchObject([
    { name: 'g', upBaselineBytes: -2 },
  ]);
});

test('deleteAllOf deletes the clients everywhere and notifies the runtime', async () => {
  const first = await host();
  const second = await host();
  await attach(first, [{ email: 'a', subId: 's' }, { email: 'b' }]);
  await attach(second, [{ email: 'a', subId: 's' }, { email: 'c' }]);
  expect(await port.deleteAllOf(first.id)).toEqual({ deleted: 2, skipped: [] });
  expect(await panel.stored('a')).toBeNull();
  expect(await panel.stored('c')).not.toBeNull();
  expect(panel.runtime.applied).toEqual([
    {
      users: [
        { inboundId: first.id, emails: ['a', 'b'] },
        { inboundId: second.id, emails: ['a'] },
      ],
    },
  ]);
  expect(await port.deleteAllOf(first.id)).toEqual({ deleted: 0, skipped: [] });
});

test('a new cipher regenerates the keys that no longer fit', async () => {
  const inbound = await host('shadowsocks', { method: '2022-blake3-aes-128-gcm' });
  await attach(inbound, [{ email: 'a' }, { email: 'b' }]);
  const settings = { method: '2022-blake3-aes-256-gcm' };
  const emails = await panel.store.write(async (trx) => {
    await trx
      .updateTable('inbounds')
      .set({ settings: JSON.stringify(settings) })
      .where('id', '=', inbound.id)
      .execute();
    return port.regenerateForCipher(trx, { ...inbound, settings });
  });
  expect(emails).toEqual(['a', 'b']);
  expect(Buffer.from((await panel.stored('a'))!.password, 'base64')).toHaveLength(32);
  expect(await panel.store.write((trx) => port.regenerateForCipher(trx, { ...inbound, settings }))).toEqual([]);
});

test('flows are restored on an inbound that can carry them, and cleared on one that cannot', async () => {
  const reality = await host('vless', {}, REALITY);
  const later = await host('vless', {}, WEBSOCKET);
  const entries = [
    { email: 'vision', subId: '1', flow: 'xtls-rprx-vision' },
    { email: 'udp', subId: '2', flow: 'xtls-rprx-vision-udp443' },
    { email: 'plain', subId: '3' },
  ];
  await attach(reality, entries);
  await attach(later, entries);
  const flows = async (id: number) => (await port.composeEntries([id])).get(id)!.map((entry) => entry['flow']);
  expect(await flows(later.id)).toEqual(['', '', '']);
  const adapt = (stream: JsonObject) =>
    panel.store.write((trx) => port.adaptFlows(trx, { ...later, streamSettings: stream }));
  expect(await adapt(REALITY)).toEqual(['vision']);
  expect(await flows(later.id)).toEqual(['xtls-rprx-vision', '', '']);
  expect(await adapt(WEBSOCKET)).toEqual(['vision']);
  expect(await flows(later.id)).toEqual(['', '', '']);
  expect(await flows(reality.id)).toEqual(['xtls-rprx-vision', 'xtls-rprx-vision-udp443', '']);
});
