import { expect, test } from 'vitest';
import { forEachTest } from '../../../testing/for-each-test.ts';
import { REALITY, startClientPanel, WEBSOCKET } from '../../../testing/panels/client-panel.ts';

const panel = forEachTest(startClientPanel);

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

test('adds a client with generated credentials on every protocol and notifies runtime and pages', async () => {
  const vless = await panel.inbound('vless');
  const trojan = await panel.inbound('trojan');
  const hysteria = await panel.inbound('hysteria');
  const response = await panel.post(
    '/add',
    { client: { email: 'alice@x', totalGB: 5, expiryTime: -2_592_000_000 }, inboundIds: [vless, trojan, hysteria] },
    { 'X-Request-Id': 'tab-1' },
  );
  expect(response).toEqual({ success: true, msg: 'Inbound client(s) have been added.', obj: null });
  const alice = (await panel.stored('alice@x'))!;
  expect(alice).toMatchObject({
    emailKey: 'alice@x',
    enable: 1,
    disabledBy: '',
    quotaBytes: 5,
    expiresAtMs: -2_592_000_000,
    upBytes: 0,
    createdAtMs: panel.time.nowMs,
  });
  expect(alice.uuid).toMatch(UUID);
  expect(alice.password).toMatch(/^[0-9a-f]{32}$/);
  expect(alice.auth).toMatch(/^[0-9a-f]{32}$/);
  expect(alice.subId).toMatch(/^[0-9a-f]{32}$/);
  expect(alice.links.map(({ inboundId }) => inboundId)).toEqual([vless, trojan, hysteria]);
  const change = { users: [vless, trojan, hysteria].map((inboundId) => ({ inboundId, emails: ['alice@x'] })) };
  expect(panel.runtime.staged).toEqual([change]);
  expect(panel.runtime.applied).toEqual([change]);
  expect(panel.events).toEqual([{ type: 'invalidate', resource: 'clients', requestId: 'tab-1' }]);
});

test('generates only what the inbounds need', async () => {
  await panel.add({ email: 'a' }, [await panel.inbound('trojan')]);
  expect(await panel.stored('a')).toMatchObject({ uuid: '', auth: '' });
});

test('honours an explicit enable=false and every field', async () => {
  const id = await panel.inbound('vless', {}, REALITY);
  await panel.add(
    {
      email: 'Bob',
      subId: 'sub-bob',
      uuid: 'E18C9A96-71BF-48D4-933F-8B9A46D4290C',
      flow: 'xtls-rprx-vision-udp443',
      security: 'zero',
      reverse: '{"tag":" home "}',
      totalGB: 9,
      expiryTime: 1_800_000_000_000,
      limitIp: 2,
      tgId: '123',
      comment: 'hi',
      enable: false,
      group: ' vip ',
      reset: 30,
      unknownKey: 1,
    },
    [id],
  );
  expect(await panel.stored('Bob')).toMatchObject({
    emailKey: 'bob',
    subId: 'sub-bob',
    uuid: 'e18c9a96-71bf-48d4-933f-8b9a46d4290c',
    security: 'auto',
    reverse: '{"tag":"home"}',
    quotaBytes: 9,
    expiresAtMs: 1_800_000_000_000,
    limitIp: 2,
    tgId: 123,
    comment: 'hi',
    enable: 0,
    disabledBy: 'admin',
    groupName: 'vip',
    resetDays: 30,
    links: [{ flowOverride: 'xtls-rprx-vision-udp443' }],
  });
});

test.each([
  [{ email: ' ' }, 'client email is required'],
  [{}, 'client email is required'],
  [{ email: 'a/b' }, 'client email contains an invalid character: a/b'],
  [{ email: 'a\\b' }, 'client email contains an invalid character: a\\b'],
  [{ email: 'a>>>b' }, 'client email contains an invalid character: a>>>b'],
  [{ email: 'a\u007fb' }, 'client email contains an invalid character: a\u007fb'],
  [{ email: 'a\u2003b' }, 'client email contains an invalid character: a\u2003b'],
  [{ email: 'a\u0001b' }, 'client email contains an invalid character: a\u0001b'],
  [{ email: '.' }, 'client email contains an invalid character: .'],
  [{ email: '..' }, 'client email contains an invalid character: ..'],
  [{ email: 'a', subId: 'x y' }, 'client subId contains an invalid character: x y'],
  [{ email: 'a', subId: '.' }, 'client subId contains an invalid character: .'],
  [{ email: 'a', subId: '..' }, 'client subId contains an invalid character: ..'],
])('refuses the names of %j', async (client, message) => {
  const id = await panel.inbound();
  expect(await panel.refusal(panel.post('/add', { client, inboundIds: [id] }))).toBe(message);
  expect(panel.runtime.staged).toEqual([]);
  expect(panel.events).toEqual([]);
});

test('checks in order: inbound, e-mail, subId, then the inbounds themselves; a refusal changes nothing', async () => {
  const id = await panel.inbound();
  const http = await panel.inbound('http');
  await panel.add({ email: 'Alice', subId: 's1' }, [id]);
  const refuse = (client: object, inboundIds?: unknown) => panel.refusal(panel.post('/add', { client, inboundIds }));
  expect(await refuse({ email: 'ALICE' })).toBe('at least one inbound is required');
  expect(await refuse({ email: 'ALICE', subId: 's1x' }, [99])).toBe('email already in use: ALICE');
  expect(await refuse({ email: 'ALICE' }, [id])).toBe('email already in use: ALICE');
  expect(await refuse({ email: 'carol', subId: 's1' }, [99])).toBe('subId already in use: s1');
  expect(await refuse({ email: 'carol' }, [id, 99])).toBe('inbound 99: record not found');
  expect(await refuse({ email: 'carol' }, [id, http])).toBe('protocol http does not support clients');
  expect(await panel.stored('carol')).toBeNull();
  expect(panel.runtime.applied).toHaveLength(1);
});

test('reports every invalid field at once', async () => {
  const response = await panel.post('/add', {
    client: { email: 'a'.repeat(300), totalGB: -1, expiryTime: '5', flow: 'fast', id: 'no-uuid', tgId: -1 },
    inboundIds: ['x'],
  });
  expect(response.success).toBe(false);
  const { issues } = response.obj as { issues: { field: string; rule: string }[] };
  expect(issues.map(({ field }) => field).sort()).toEqual([
    'client.email',
    'client.expiryTime',
    'client.flow',
    'client.id',
    'client.tgId',
    'client.totalGB',
    'inboundIds[0]',
  ]);
});

test('the same e-mail and subId attach the existing client and are idempotent', async () => {
  const first = await panel.inbound('vless');
  const second = await panel.inbound('vless');
  await panel.add({ email: 'alice', subId: 's', totalGB: 7, comment: 'kept' }, [first]);
  const before = (await panel.stored('alice'))!;
  await panel.add({ email: 'ALICE', subId: 's' }, [first, second]);
  await panel.add({ email: 'alice', subId: 's' }, [first, second]);
  const after = (await panel.stored('alice'))!;
  expect(after).toMatchObject({ uuid: before.uuid, quotaBytes: 7, comment: 'kept', updatedAtMs: before.updatedAtMs });
  expect(after.links.map(({ inboundId }) => inboundId)).toEqual([first, second]);
  expect(panel.runtime.applied.at(-1)).toEqual({ users: [{ inboundId: second, emails: ['alice'] }] });
});

test('re-adding applies the values sent and keeps the others', async () => {
  const id = await panel.inbound('vless');
  await panel.add({ email: 'alice', subId: 's', totalGB: 7, limitIp: 1 }, [id]);
  await panel.add({ email: 'alice', subId: 's', totalGB: 0, enable: false }, [id]);
  expect(await panel.stored('alice')).toMatchObject({ quotaBytes: 0, limitIp: 1, enable: 0, disabledBy: 'admin' });
});

test('of 50 concurrent adds of one e-mail exactly one succeeds', async () => {
  const id = await panel.inbound();
  const responses = await Promise.all(
    Array.from({ length: 50 }, (_, i) =>
      panel.post('/add', { client: { email: i % 2 === 0 ? 'Same' : 'same' }, inboundIds: [id] }),
    ),
  );
  expect(responses.filter(({ success }) => success)).toHaveLength(1);
  expect(new Set(responses.filter(({ success }) => !success).map(({ msg }) => msg.toLowerCase()))).toEqual(
    new Set(['email already in use: same']),
  );
});

test('e-mails that the core cannot tell apart count as one here too', async () => {
  const id = await panel.inbound();
  await panel.add({ email: 'ΑΣ' }, [id]);
  expect(await panel.refusal(panel.post('/add', { client: { email: 'ασ' }, inboundIds: [id] }))).toBe(
    'email already in use: ασ',
  );
  await panel.add({ email: 'ix' }, [id]);
  expect(await panel.refusal(panel.post('/add', { client: { email: 'İx' }, inboundIds: [id] }))).toBe(
    'email already in use: İx',
  );
});

test('flow is kept per inbound that can carry it', async () => {
  const reality = await panel.inbound('vless', {}, REALITY);
  const ws = await panel.inbound('vless', {}, WEBSOCKET);
  await panel.add({ email: 'a', flow: 'xtls-rprx-vision' }, [ws, reality]);
  expect((await panel.stored('a'))!.links).toMatchObject([
    { inboundId: reality, flowOverride: 'xtls-rprx-vision' },
    { inboundId: ws, flowOverride: '' },
  ]);
  const { client } = await panel.ok<{ client: { flow: string } }>(panel.get('/get/a'));
  expect(client.flow).toBe('xtls-rprx-vision');
});

test('shadowsocks 2022 gets keys of its cipher; a key that fits no cipher is replaced, one that others use is kept', async () => {
  const aes128 = await panel.inbound('shadowsocks', { method: '2022-blake3-aes-128-gcm' });
  const aes256 = await panel.inbound('shadowsocks', { method: '2022-blake3-aes-256-gcm' });
  const trojan = await panel.inbound('trojan');
  const bytes = (text: string) => Buffer.from(text, 'base64').length;

  await panel.add({ email: 'one', password: 'short' }, [aes256]);
  expect(bytes((await panel.stored('one'))!.password)).toBe(32);

  await panel.add({ email: 'three', password: 'my trojan password' }, [trojan, aes128, aes256]);
  const three = (await panel.stored('three'))!;
  expect(three.password).toBe('my trojan password');
  expect(three.links.map(({ passwordOverride }) => bytes(passwordOverride))).toEqual([16, 32, 0]);

  await panel.add({ email: 'two' }, [aes128, aes256]);
  const two = (await panel.stored('two'))!;
  expect(bytes(two.password)).toBe(16);
  expect(two.links.map(({ passwordOverride }) => bytes(passwordOverride))).toEqual([0, 32]);
});

test('refuses credentials that the core would confuse with those of another client of the inbound', async () => {
  const vless = await panel.inbound('vless');
  const otherVless = await panel.inbound('vless');
  const vmess = await panel.inbound('vmess');
  const trojan = await panel.inbound('trojan');
  const hysteria = await panel.inbound('hysteria2');
  const id = 'e18c9a96-71bf-48d4-933f-8b9a46d4290c';
  const routed = 'e18c9a96-71bf-0001-933f-8b9a46d4290c';
  await panel.add({ email: 'a', id, password: 'pw', auth: id }, [vless, trojan, hysteria, vmess]);
  const refuse = (client: object, inboundId: number) =>
    panel.refusal(panel.post('/add', { client, inboundIds: [inboundId] }));
  expect(await refuse({ email: 'b', id: routed }, vless)).toBe(
    `id of b is the same to the core as that of a on inbound ${vless}; give one of them another id`,
  );
  expect(await refuse({ email: 'b', password: 'pw' }, trojan)).toMatch(/^password of b is the same to the core/);
  expect(await refuse({ email: 'b', auth: routed }, hysteria)).toMatch(/^auth of b is the same to the core/);
  expect(await refuse({ email: 'b', id }, vmess)).toMatch(/^id of b is the same to the core/);
  await panel.add({ email: 'c', id: routed, password: 'pw' }, [otherVless, vmess]);
});

test('a new client with an e-mail that has kept traffic adopts its counters, with a ledger entry', async () => {
  const id = await panel.inbound();
  await panel.add({ email: 'a' }, [id]);
  await panel.setState('a', { upBytes: 10, downBytes: 20, lastOnlineAtMs: 5_000 });
  await panel.ok(panel.post('/del/a?keepTraffic=1'));
  await panel.add({ email: 'A' }, [id]);
  const again = (await panel.stored('A'))!;
  expect(again).toMatchObject({ upBytes: 10, downBytes: 20, lastOnlineAtMs: 5_000 });
  const ledger = await panel.store.reader
    .selectFrom('trafficLedger')
    .innerJoin('trafficSources', 'trafficSources.id', 'trafficLedger.sourceId')
    .select(['trafficSources.kind', 'upBytes', 'downBytes'])
    .where('clientId', '=', again.id)
    .execute();
  expect(ledger).toEqual([{ kind: 'opening', upBytes: 10, downBytes: 20 }]);
  expect(await panel.store.reader.selectFrom('keptTraffics').selectAll().execute()).toEqual([]);
});

test('an unreachable node is reported in the response', async () => {
  const id = await panel.inbound();
  panel.runtime.apply = async () => ({ core: { kind: 'live' }, nodePending: true });
  expect(await panel.add({ email: 'a' }, [id])).toEqual({ nodePending: true });
});

test('the response waits for the core and reports a refusal', async () => {
  const id = await panel.inbound();
  panel.runtime.apply = async () => ({ core: { kind: 'failed', text: 'bad user' }, nodePending: false });
  expect(await panel.add({ email: 'a' }, [id])).toEqual({ coreError: 'bad user' });
});
