import { beforeEach, expect, test } from 'vitest';
import { forEachTest } from '../../../testing/for-each-test.ts';
import { leftOpen, DAY_MS, GIB, REALITY, startClientPanel, WEBSOCKET } from '../../../testing/panels/client-panel.ts';

let inboundId: number;
const panel = forEachTest(startClientPanel);
beforeEach(async () => {
  inboundId = await panel.inbound('vless', {}, REALITY);
});

const add = (email: string, values: object = {}, ids: number[] = [inboundId]) => panel.add({ email, ...values }, ids);
const post = <T = unknown>(call: string, body: unknown) => panel.ok<T>(panel.post(call, body as object));
const lastChange = () => panel.runtime.applied.at(-1);

test('bulkCreate: each item separately, reasons in request order, one change of the core', async () => {
  await add('taken', { subId: 's' });
  const result = await post('/bulkCreate', [
    { client: { email: 'a', totalGB: 5 }, inboundIds: [inboundId] },
    { client: { email: ' ' }, inboundIds: [inboundId] },
    { client: { email: 'x/y' }, inboundIds: [inboundId] },
    { client: { email: 'b' } },
    { client: { email: 'TAKEN' }, inboundIds: [inboundId] },
    { client: { email: 'taken', subId: 's' }, inboundIds: [inboundId] },
    { client: { email: 'c', subId: 's' }, inboundIds: [inboundId] },
    { client: { email: 'A' }, inboundIds: [inboundId] },
    { client: { email: 'd' }, inboundIds: [99] },
    { client: { email: 'e', totalGB: -1 }, inboundIds: [inboundId] },
    { client: { email: 'f', subId: 'z', flow: null }, inboundIds: [inboundId] },
    { client: { email: 'g', subId: 'z' }, inboundIds: [inboundId] },
    null,
    7,
  ]);
  expect(result).toMatchObject({
    created: 3,
    skipped: [
      { email: '(missing email)', reason: 'client email is required' },
      { email: 'x/y', reason: 'client email contains an invalid character: x/y' },
      { email: 'b', reason: 'at least one inbound is required' },
      {
        email: 'TAKEN',
        reason: 'email already in use: TAKEN',
        code: 'client.emailTaken',
        params: { email: 'TAKEN' },
      },
      { email: 'c', reason: 'subId already in use: s' },
      { email: 'A', reason: 'email already in use: A' },
      { email: 'd', reason: 'inbound 99: record not found' },
      {
        email: 'e',
        reason: 'totalGB: must be at least 0',
        issues: [{ field: 'totalGB', rule: 'gte', param: '0' }],
      },
      { email: 'g', reason: 'subId already in use: z' },
      { email: '(missing email)', reason: 'client: is required' },
      { email: '(missing email)', reason: 'client: is required' },
    ],
  });
  expect(await panel.stored('a')).toMatchObject({ quotaBytes: 5, links: [{ inboundId }] });
  expect(panel.runtime.applied).toHaveLength(2);
  expect(lastChange()).toEqual({ users: [{ inboundId, emails: ['a', 'f'] }] });
});

test('bulkCreate: identities within the request are checked against each other too', async () => {
  const id = 'e18c9a96-71bf-48d4-933f-8b9a46d4290c';
  const item = (email: string) => ({ client: { email, id }, inboundIds: [inboundId] });
  const { created, skipped } = await post<{ created: number; skipped: unknown[] }>('/bulkCreate', [
    item('a'),
    item('b'),
  ]);
  expect(created).toBe(1);
  expect(skipped).toMatchObject([
    {
      email: 'b',
      reason: `id of b is the same to the core as that of a on inbound ${inboundId}; give one of them another id`,
    },
  ]);
});

test('bulkCreate works beyond one chunk and sees its own earlier items', async () => {
  const items = Array.from({ length: 2_100 }, (_, i) => ({
    client: { email: `u${i % 2_050}` },
    inboundIds: [inboundId],
  }));
  const { created, skipped } = await post<{ created: number; skipped: unknown[] }>('/bulkCreate', items);
  expect({ created, skipped: skipped.length }).toEqual({ created: 2_050, skipped: 50 });
});

test('bulkAdjust: fields are independent, the first reason wins', async () => {
  const { nowMs } = panel.time;
  await add('both', { totalGB: 5 * GIB, expiryTime: nowMs + DAY_MS });
  await add('days', { expiryTime: nowMs + DAY_MS });
  await add('bytes', { totalGB: 5 * GIB });
  await add('none');
  await add('waiting', { expiryTime: -3 * DAY_MS });
  expect(
    await post('/bulkAdjust', {
      emails: ['both', 'DAYS', 'bytes', 'none', 'waiting', 'nobody', 'both', ' '],
      addDays: 2,
      addBytes: GIB,
    }),
  ).toMatchObject({
    adjusted: 4,
    skipped: [
      { email: 'DAYS', reason: 'unlimited traffic' },
      { email: 'bytes', reason: 'unlimited expiry' },
      { email: 'none', reason: 'unlimited expiry' },
      { email: 'waiting', reason: 'unlimited traffic' },
      { email: 'nobody', reason: 'client not found' },
    ],
  });
  expect(await panel.stored('both')).toMatchObject({ quotaBytes: 6 * GIB, expiresAtMs: nowMs + 3 * DAY_MS });
  expect(await panel.stored('waiting')).toMatchObject({ expiresAtMs: -5 * DAY_MS });
  expect(await panel.stored('none')).toMatchObject({ quotaBytes: 0, expiresAtMs: 0 });
});

test('bulkAdjust: a date becomes the expiry of all clients, whatever they had', async () => {
  const expiryTime = panel.time.nowMs + 9 * DAY_MS;
  await add('never');
  await add('waiting', { expiryTime: -3 * DAY_MS });
  await add('later', { expiryTime: expiryTime + DAY_MS });
  await add('over', { expiryTime: panel.time.nowMs + DAY_MS });
  await panel.setState('over', { enable: 0, disabledBy: 'loop' });
  const emails = ['never', 'waiting', 'later', 'over'];
  expect(await post('/bulkAdjust', { emails, expiryTime })).toEqual({ adjusted: 4, skipped: [] });
  for (const email of emails) expect(await panel.stored(email)).toMatchObject({ expiresAtMs: expiryTime, enable: 1 });
  expect((await panel.post('/bulkAdjust', { emails, expiryTime: -1 })).obj).toMatchObject({
    issues: [{ field: 'expiryTime' }],
  });
});

test('bulkAdjust: reductions never make anything unlimited, nor disable a client', async () => {
  await add('a', { totalGB: 5, expiryTime: DAY_MS });
  await add('waiting', { expiryTime: -DAY_MS });
  expect(await post('/bulkAdjust', { emails: ['a', 'waiting'], addDays: -1, addBytes: -5 })).toMatchObject({
    adjusted: 0,
    skipped: [
      { email: 'a', reason: 'reduction exceeds remaining time' },
      { email: 'waiting', reason: 'reduction exceeds delay window' },
    ],
  });
  expect(await post('/bulkAdjust', { emails: ['a'], addBytes: -5 })).toMatchObject({
    adjusted: 0,
    skipped: [{ email: 'a', reason: 'reduction exceeds remaining quota' }],
  });
  await panel.setState('a', { upBytes: 4 });
  await post('/bulkAdjust', { emails: ['a'], addBytes: -2 });
  expect(await panel.stored('a')).toMatchObject({ quotaBytes: 3, enable: 1 });
});

test('bulkAdjust: enables depleted clients within their new limits, not admin-disabled or still depleted ones', async () => {
  for (const email of ['loop', 'byHand', 'still'])
    await add(email, { totalGB: 5, expiryTime: panel.time.nowMs + DAY_MS });
  await panel.setState('loop', { upBytes: 6, enable: 0, disabledBy: 'loop' });
  await panel.setState('byHand', { upBytes: 6, enable: 0, disabledBy: 'admin' });
  await panel.setState('still', { upBytes: 60, enable: 0, disabledBy: 'loop' });
  expect(await post('/bulkAdjust', { emails: ['loop', 'byHand', 'still'], addBytes: 5 })).toEqual({
    adjusted: 3,
    skipped: [],
  });
  expect(await panel.stored('loop')).toMatchObject({ enable: 1, disabledBy: '' });
  expect(await panel.stored('byHand')).toMatchObject({ enable: 0, disabledBy: 'admin' });
  expect(await panel.stored('still')).toMatchObject({ enable: 0, disabledBy: 'loop' });
});

test('bulkAdjust: flows where supported; an empty adjustment is an error', async () => {
  const ws = await panel.inbound('vless', {}, WEBSOCKET);
  await add('a', {}, [inboundId, ws]);
  await add('b', {}, [ws]);
  expect(await post('/bulkAdjust', { emails: ['a', 'b'], flow: 'xtls-rprx-vision' })).toMatchObject({
    adjusted: 1,
    skipped: [{ email: 'b', reason: 'flow not supported on inbound' }],
  });
  expect((await panel.stored('a'))!.links.map(({ flowOverride }) => flowOverride)).toEqual(['xtls-rprx-vision', '']);
  await post('/bulkAdjust', { emails: ['a'], flow: 'none' });
  expect((await panel.stored('a'))!.links[0]!.flowOverride).toBe('');
  for (const body of [{ emails: ['a'] }, { emails: ['a'], flow: 'unknown' }])
    expect(await panel.refusal(panel.post('/bulkAdjust', body))).toBe('no adjustment specified');
  expect((await panel.post('/bulkAdjust', { emails: ['a'], addDays: 1.5 })).obj).toMatchObject({
    issues: [{ field: 'addDays' }],
  });
});

test('bulkDisable and bulkEnable count all existing clients and send only switched ones to the core', async () => {
  await add('on');
  await add('off', { enable: false });
  await add('loop');
  await panel.setState('loop', { enable: 0, disabledBy: 'loop' });
  await add('free');
  await panel.ok(panel.post('/free/detach', { inboundIds: [inboundId] }));
  const emails = ['on', 'OFF', 'loop', 'free', 'nobody'];
  expect(await post('/bulkDisable', { emails })).toMatchObject({
    changed: 4,
    skipped: [{ email: 'nobody', reason: 'client not found' }],
    ...leftOpen('on'),
  });
  for (const email of ['on', 'off', 'loop', 'free'])
    expect(await panel.stored(email)).toMatchObject({ enable: 0, disabledBy: 'admin' });
  expect(lastChange()).toEqual({ users: [{ inboundId, emails: ['on'] }] });
  await post('/bulkEnable', { emails });
  expect(await panel.stored('loop')).toMatchObject({ enable: 1, disabledBy: '' });
  expect(lastChange()).toEqual({ users: [{ inboundId, emails: ['on', 'off', 'loop'] }] });
});

test('a switch returns on request the clients that the opposite call restores', async () => {
  await add('on');
  await add('off', { enable: false });
  await add('loop');
  await panel.setState('loop', { enable: 0, disabledBy: 'loop' });
  const emails = ['on', 'off', 'loop'];
  expect(await post('/bulkEnable?remember=1', { emails })).toMatchObject({ changed: 3, turned: ['off'] });
  expect(await post('/bulkDisable?remember=1', { emails: ['off'] })).toMatchObject({ turned: ['off'] });
});

test('bulkDel, with and without keeping traffic', async () => {
  for (const email of ['a', 'b', 'c']) await add(email);
  await panel.setState('a', { upBytes: 1 });
  expect(await post('/bulkDel', { emails: ['A', 'x'], keepTraffic: true })).toMatchObject({
    deleted: 1,
    skipped: [{ email: 'x', reason: 'client not found' }],
    ...leftOpen('a'),
  });
  expect(await panel.store.reader.selectFrom('keptTraffics').select('email').execute()).toEqual([{ email: 'a' }]);
  expect(await post('/bulkDel', { emails: ['b', 'c'] })).toEqual({ deleted: 2, skipped: [], ...leftOpen('b', 'c') });
  expect(lastChange()).toEqual({ users: [{ inboundId, emails: ['b', 'c'] }] });
  expect(await post('/bulkDel', {})).toEqual({ deleted: 0, skipped: [] });
});

test('bulkAttach: attached, skipped and errors; usage and traffic rows are untouched', async () => {
  const second = await panel.inbound('vless', {}, REALITY);
  const http = await panel.inbound('http');
  await add('alice', { flow: 'xtls-rprx-vision' });
  await add('bob', {}, [inboundId, second]);
  await panel.setState('alice', { upBytes: 7 });
  expect(
    await post('/bulkAttach', { emails: ['alice', 'bob', 'nobody'], inboundIds: [inboundId, second, http, 99] }),
  ).toEqual({
    attached: ['alice'],
    skipped: ['alice', 'bob'],
    errors: [
      `inbound ${http}: protocol http does not support clients`,
      'inbound 99: record not found',
      'nobody: client not found',
    ],
  });
  expect(await panel.stored('alice')).toMatchObject({
    upBytes: 7,
    links: [{}, { inboundId: second, flowOverride: 'xtls-rprx-vision' }],
  });
  expect(lastChange()).toEqual({ users: [{ inboundId: second, emails: ['alice'] }] });
  expect(await post('/bulkAttach', { emails: [], inboundIds: [second] })).toEqual({
    attached: [],
    skipped: [],
    errors: [],
  });
  expect(await post('/bulkAttach', { emails: ['alice'], inboundIds: [] })).toEqual({
    attached: [],
    skipped: [],
    errors: [],
  });
});

test('bulkAttach: a clash affects one client and not the others', async () => {
  const second = await panel.inbound('trojan');
  await add('a', { password: 'pw' }, [second]);
  await add('b', { password: 'pw' });
  await add('c');
  const { attached, errors } = await post<{ attached: string[]; errors: string[] }>('/bulkAttach', {
    emails: ['b', 'c'],
    inboundIds: [second],
  });
  expect(attached).toEqual(['c']);
  expect(errors).toEqual([expect.stringMatching(/^b: password of b is the same to the core as that of a/)]);
  expect((await panel.stored('b'))!.links).toHaveLength(1);
});

test('bulkDetach', async () => {
  const second = await panel.inbound();
  await add('a', {}, [inboundId, second]);
  await add('b', {}, [second]);
  expect(await post('/bulkDetach', { emails: ['a', 'b', 'x'], inboundIds: [inboundId, 99] })).toEqual({
    detached: ['a'],
    skipped: ['b'],
    errors: ['x: client not found'],
    ...leftOpen('a'),
  });
  expect((await panel.stored('a'))!.links).toMatchObject([{ inboundId: second }]);
  expect(lastChange()).toEqual({ users: [{ inboundId, emails: ['a'] }] });
});

test('bulkResetTraffic resets and enables all existing clients', async () => {
  await add('a', { enable: false });
  await add('b');
  await panel.setState('a', { upBytes: 5 });
  expect(await post('/bulkResetTraffic', { emails: ['a', 'B', 'x'] })).toEqual({ affected: 2 });
  expect(await panel.stored('a')).toMatchObject({ upBytes: 0, enable: 1, disabledBy: '' });
});

test('delDepleted spares clients with automatic renewal', async () => {
  const { nowMs } = panel.time;
  await add('fine', { totalGB: 5 });
  await add('spent', { totalGB: 5 });
  await add('renews', { totalGB: 5, reset: 30 });
  await add('expired', { expiryTime: nowMs });
  await add('waiting', { expiryTime: -DAY_MS });
  await panel.setState('spent', { upBytes: 2, downBytes: 3 });
  await panel.setState('renews', { upBytes: 9 });
  expect(await post('/delDepleted', {})).toEqual({ deleted: 2, ...leftOpen('spent', 'expired') });
  const left = await panel.store.reader.selectFrom('clients').select('email').orderBy('id').execute();
  expect(left.map(({ email }) => email)).toEqual(['fine', 'renews', 'waiting']);
});

test('delOrphans deletes clients without an inbound', async () => {
  await add('a');
  await add('b');
  await panel.ok(panel.post('/b/detach', { inboundIds: [inboundId] }));
  expect(await post('/delOrphans', {})).toEqual({ deleted: 1 });
  expect(await panel.stored('a')).not.toBeNull();
  expect(await panel.stored('b')).toBeNull();
});

test('export and import: a round trip into an empty panel, unattached clients included', async () => {
  await add('a', { flow: 'xtls-rprx-vision', reverse: { tag: 't' }, totalGB: 5, group: 'g', enable: false });
  await add('b');
  await panel.ok(panel.post('/b/detach', { inboundIds: [inboundId] }));
  await panel.setState('a', { upBytes: 5 });
  const exported = await panel.ok<{ client: object; inboundIds: number[] }[]>(panel.get('/export'));
  expect(exported).toMatchObject([
    { client: { email: 'a', flow: 'xtls-rprx-vision', id: expect.any(String) }, inboundIds: [inboundId] },
    { client: { email: 'b' }, inboundIds: [] },
  ]);
  const data = JSON.stringify(exported);
  expect(await post('/import', { data })).toMatchObject({
    created: 0,
    skipped: [
      { email: 'a', reason: 'email already in use: a' },
      { email: 'b', reason: 'email already in use: b' },
    ],
  });
  await post('/bulkDel', { emails: ['a', 'b'] });
  panel.time.nowMs += 1000;
  expect(await post('/import', { data })).toEqual({ created: 2, skipped: [] });
  const again = await panel.ok<{ client: object }[]>(panel.get('/export'));
  expect(again.map(({ client }) => ({ ...client, updated_at: 0 }))).toEqual(
    exported.map(({ client }) => ({ ...client, updated_at: 0 })),
  );
  expect(await panel.stored('a')).toMatchObject({ upBytes: 0, enable: 0 });
});

test('a client that only its limits had disabled is still one after export and import, and is enabled by a new term', async () => {
  const expired = panel.time.nowMs - 1000;
  await add('a', { enable: false });
  await add('b', { expiryTime: expired });
  await panel.setState('b', { enable: 0, disabledBy: 'loop' });
  const data = JSON.stringify(await panel.ok(panel.get('/export')));
  await post('/bulkDel', { emails: ['a', 'b'] });
  await post('/import', { data });
  expect(await panel.stored('a')).toMatchObject({ enable: 0, disabledBy: 'admin' });
  expect(await panel.stored('b')).toMatchObject({ enable: 0, disabledBy: 'loop' });
  await post('/bulkAdjust', { emails: ['a', 'b'], expiryTime: panel.time.nowMs + 1000 });
  expect(await panel.stored('a')).toMatchObject({ enable: 0 });
  expect(await panel.stored('b')).toMatchObject({ enable: 1 });
});

test('export and import: flows and keys of single inbounds stay, and a key that another client has there is refused', async () => {
  const other = await panel.inbound('vless', {}, REALITY);
  const trojan = await panel.inbound('trojan');
  const aes128 = await panel.inbound('shadowsocks', { method: '2022-blake3-aes-128-gcm' });
  const flow = 'xtls-rprx-vision';
  await panel.add({ email: 'a', password: 'pw', subId: 'sub-a', flow }, [inboundId, other, trojan, aes128]);
  await panel.ok(panel.post(`/update/a?inboundIds=${other}`, { email: 'a', flow: '' }));
  const { links } = (await panel.stored('a'))!;
  const key = links[3]!.passwordOverride;
  expect(links.map(({ flowOverride }) => flowOverride)).toEqual([flow, '', '', '']);
  const exported = await panel.ok<{ client: object }[]>(panel.get('/export'));
  expect(exported).toMatchObject([
    {
      attachments: [
        { inboundId: other, flow: '', password: '' },
        { inboundId: trojan, flow: '', password: '' },
        { inboundId: aes128, flow: '', password: key },
      ],
    },
  ]);
  const [item] = exported;
  const twin = { ...item, client: { ...item!.client, email: 'b', subId: '', id: '', password: 'other' } };
  expect(await post('/import', { data: JSON.stringify([twin]) })).toMatchObject({
    created: 0,
    skipped: [{ email: 'b', reason: expect.stringContaining('a') as string }],
  });
  await post('/bulkDel', { emails: ['a'] });
  expect(await post('/import', { data: JSON.stringify(exported) })).toMatchObject({ created: 1 });
  const again = (await panel.stored('a'))!;
  expect(again).toMatchObject({ password: 'pw' });
  expect(again.links.map(({ flowOverride, passwordOverride }) => [flowOverride, passwordOverride])).toEqual(
    links.map(({ flowOverride, passwordOverride }) => [flowOverride, passwordOverride]),
  );
});

test('import refuses anything but an array and skips unusable items', async () => {
  for (const data of ['', '{}', '"x"', '[1', "['single']"])
    expect(await panel.refusal(panel.post('/import', { data }))).toBe(
      'data must be the JSON text of an array of clients',
    );
  const items = [
    { client: { email: 'a' }, inboundIds: [99] },
    { client: { email: 'b' }, inboundIds: null },
    { client: { email: 'B' } },
    'text',
    ['x'],
  ];
  expect(await post('/import', { data: JSON.stringify(items) })).toMatchObject({
    created: 1,
    skipped: [
      { email: 'a', reason: 'inbound 99: record not found' },
      { email: 'B', reason: 'email already in use: B' },
      { email: '(missing email)', reason: 'client: is required' },
      { email: '(missing email)', reason: 'client: is required' },
    ],
  });
  expect(await panel.stored('b')).toMatchObject({ links: [] });
});

test('an unreadable tgId costs an import only itself; a bulk call is refused', async () => {
  const items = [{ client: { email: 'a', tgId: 'x' }, inboundIds: [inboundId] }];
  expect(await post('/bulkCreate', items)).toMatchObject({ created: 0, skipped: [{ issues: [{ field: 'tgId' }] }] });
  expect(await post('/import', { data: JSON.stringify(items) })).toEqual({ created: 1, skipped: [] });
  expect(await panel.stored('a')).toMatchObject({ tgId: 0 });
});
