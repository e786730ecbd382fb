import { beforeEach, expect, test } from 'vitest';
import { forEachTest } from '../../../testing/for-each-test.ts';
import { leftOpen, REALITY, startClientPanel, WEBSOCKET } from '../../../testing/panels/client-panel.ts';

let inboundId: number;
const panel = forEachTest(startClientPanel);
beforeEach(async () => {
  inboundId = await panel.inbound('vless', {}, REALITY);
});

const UUID = 'e18c9a96-71bf-48d4-933f-8b9a46d4290c';

test('replaces: omitted numbers are 0 and texts empty; credentials, subId and enable stay', async () => {
  await panel.add(
    {
      email: 'a',
      subId: 's',
      id: UUID,
      flow: 'xtls-rprx-vision',
      security: 'auto',
      reverse: { tag: 't' },
      totalGB: 5,
      expiryTime: 6,
      limitIp: 7,
      tgId: 8,
      comment: 'c',
      group: 'g',
      reset: 9,
      enable: false,
    },
    [inboundId],
  );
  const createdAtMs = panel.time.nowMs;
  panel.time.nowMs += 1000;
  const response = await panel.post('/update/a', { email: 'a' });
  expect(response).toEqual({ success: true, msg: 'Inbound client has been updated.', obj: null });
  expect(await panel.stored('a')).toMatchObject({
    subId: 's',
    uuid: UUID,
    flow: '',
    security: '',
    reverse: '',
    quotaBytes: 0,
    expiresAtMs: 0,
    limitIp: 0,
    tgId: 0,
    comment: '',
    groupName: '',
    resetDays: 0,
    enable: 0,
    disabledBy: 'admin',
    createdAtMs,
    updatedAtMs: panel.time.nowMs,
    links: [{ flowOverride: '' }],
  });
});

test('a client disabled by a limit is enabled once either is moved far enough; manually disabled stays so', async () => {
  const { nowMs } = panel.time;
  const limits = { totalGB: 10, expiryTime: nowMs + 1_000 };
  const off = { enable: 0, disabledBy: 'loop' } as const;
  for (const email of ['spent', 'pushed', 'expired', 'byHand', 'kept'])
    await panel.add({ email, ...limits }, [inboundId]);
  await panel.setState('spent', { ...off, upBytes: 6, downBytes: 4 });
  await panel.setState('pushed', off);
  const traffics = [{ email: 'pushed', up: 12, down: 0 }];
  await panel.ok(panel.call('POST', '/inbounds/pushClientTraffics', { masterGuid: 'm', traffics }));
  await panel.setState('expired', { ...off, expiresAtMs: nowMs });
  await panel.setState('byHand', { upBytes: 10, enable: 0, disabledBy: 'admin' });
  await panel.setState('kept', { ...off, upBytes: 10 });

  // As the editor and a bot send it: all values read, with the new limit.
  const update = (email: string, change: object) =>
    panel.ok(panel.post(`/update/${email}`, { email, ...limits, enable: false, ...change }));
  await update('spent', { comment: 'paid' });
  await update('pushed', { totalGB: 12 });
  for (const email of ['spent', 'pushed']) expect(await panel.stored(email)).toMatchObject(off);
  await update('spent', { totalGB: 11 });
  expect(panel.runtime.applied.at(-1)).toMatchObject({ users: [{ inboundId, emails: ['spent'] }] });
  await update('pushed', { totalGB: 0 });
  await update('expired', { expiryTime: 0 });
  await update('byHand', { totalGB: 11 });
  await update('kept', { totalGB: 11, disabledBy: 'admin' });
  for (const email of ['spent', 'pushed', 'expired'])
    expect(await panel.stored(email)).toMatchObject({ enable: 1, disabledBy: '' });
  for (const email of ['byHand', 'kept'])
    expect(await panel.stored(email)).toMatchObject({ enable: 0, disabledBy: 'admin', quotaBytes: 11 });
});

test('identical values write nothing and notify nobody', async () => {
  const client = { email: 'a', subId: 's', totalGB: 5, flow: 'xtls-rprx-vision' };
  await panel.add(client, [inboundId]);
  const before = await panel.stored('a');
  panel.time.nowMs += 1000;
  await panel.ok(panel.post('/update/a', client));
  expect(await panel.stored('a')).toEqual(before);
  expect(panel.runtime.applied).toHaveLength(1);
});

test('disabling manually records that, leaves open sessions and reports them; enabling clears it', async () => {
  await panel.add({ email: 'a' }, [inboundId]);
  expect(await panel.ok(panel.post('/update/a', { email: 'a', enable: false }))).toEqual(leftOpen('a'));
  expect(await panel.stored('a')).toMatchObject({ enable: 0, disabledBy: 'admin' });
  expect(panel.runtime.restarts).toEqual([]);
  expect(panel.runtime.applied.at(-1)).toEqual({ users: [{ inboundId, emails: ['a'] }] });
  expect(await panel.ok(panel.post('/update/a', { email: 'a', enable: true }))).toBeNull();
  expect(await panel.stored('a')).toMatchObject({ enable: 1, disabledBy: '' });
});

test('an edit of a client disabled by the loop keeps what disabled it', async () => {
  await panel.add({ email: 'a' }, [inboundId]);
  await panel.setState('a', { enable: 0, disabledBy: 'loop' });
  await panel.ok(panel.post('/update/a', { email: 'a', enable: false, comment: 'x' }));
  expect(await panel.stored('a')).toMatchObject({ enable: 0, disabledBy: 'loop', comment: 'x' });
});

test('sessions are ended when the core had to restart, and there are none when it is not running', async () => {
  await panel.add({ email: 'a' }, [inboundId]);
  await panel.add({ email: 'b' }, [inboundId]);
  panel.runtime.apply = async () => ({ core: { kind: 'restarted' }, nodePending: false });
  expect(await panel.ok(panel.post('/update/a', { email: 'a', enable: false }))).toEqual({ sessions: 'ended' });
  panel.runtime.apply = async () => ({ core: { kind: 'notRunning' }, nodePending: false });
  expect(await panel.ok(panel.post('/update/b', { email: 'b', enable: false }))).toBeNull();
});

test('counters are untouched', async () => {
  await panel.add({ email: 'a', totalGB: 5 }, [inboundId]);
  await panel.setState('a', { upBytes: 3, downBytes: 4 });
  await panel.ok(panel.post('/update/a', { email: 'a', totalGB: 50 }));
  expect(await panel.stored('a')).toMatchObject({ upBytes: 3, downBytes: 4, quotaBytes: 50 });
});

test('a new credential ends what the old one opened', async () => {
  await panel.add({ email: 'a', id: UUID }, [inboundId]);
  const id = 'aaaaaaaa-71bf-48d4-933f-8b9a46d4290c';
  expect(await panel.ok(panel.post('/update/a', { email: 'a', id }))).toEqual(leftOpen('a'));
  expect(await panel.stored('a')).toMatchObject({ uuid: id });
});

test('renames: one record, own counters, both names sent to the core', async () => {
  await panel.add({ email: 'old', subId: 's' }, [inboundId]);
  await panel.setState('old', { upBytes: 3, downBytes: 4 });
  await panel.ok(panel.post('/update/old', { email: 'new' }));
  expect(await panel.stored('old')).toBeNull();
  expect(await panel.stored('new')).toMatchObject({ emailKey: 'new', subId: 's', upBytes: 3, downBytes: 4 });
  expect(panel.runtime.applied.at(-1)).toEqual({ users: [{ inboundId, emails: ['new', 'old'] }] });
  expect(await panel.refusal(panel.get('/get/old'))).toBe('client not found');
});

test('a rename to an e-mail with kept traffic keeps the own counters and drops the kept ones', async () => {
  await panel.add({ email: 'gone' }, [inboundId]);
  await panel.setState('gone', { upBytes: 100, downBytes: 100 });
  await panel.ok(panel.post('/del/gone?keepTraffic=1'));
  await panel.add({ email: 'a' }, [inboundId]);
  await panel.setState('a', { upBytes: 1, downBytes: 2 });
  await panel.ok(panel.post('/update/a', { email: 'GONE' }));
  expect(await panel.stored('GONE')).toMatchObject({ upBytes: 1, downBytes: 2 });
  expect(await panel.store.reader.selectFrom('keptTraffics').selectAll().execute()).toEqual([]);
});

test('taken names are refused before anything changes', async () => {
  await panel.add({ email: 'a', subId: 'sa' }, [inboundId]);
  await panel.add({ email: 'b', subId: 'sb' }, [inboundId]);
  const before = await panel.stored('a');
  const refuse = (body: object) => panel.refusal(panel.post('/update/a', body));
  expect(await refuse({ email: 'B' })).toBe('Duplicate email: B');
  expect(await refuse({ email: 'c', subId: 'sb' })).toBe('Duplicate subId: sb');
  expect(await refuse({ email: 'a/b' })).toBe('client email contains an invalid character: a/b');
  expect(await refuse({ email: '..' })).toBe('client email contains an invalid character: ..');
  expect(await refuse({})).toBe('client email is required');
  expect(await refuse({ email: 'a', subId: 'x/y' })).toBe('client subId contains an invalid character: x/y');
  expect(await refuse({ email: 'a', subId: '.' })).toBe('client subId contains an invalid character: .');
  expect(await panel.refusal(panel.post('/update/nobody', { email: 'nobody' }))).toBe('client not found');
  expect(await panel.stored('a')).toEqual(before);
  expect(await panel.stored('c')).toBeNull();
});

test('a subId already shared by clients stays valid as long as it does not change', async () => {
  await panel.add({ email: 'a', subId: 'sa' }, [inboundId]);
  await panel.add({ email: 'b', subId: 'sb' }, [inboundId]);
  await panel.store.write(async (trx) => {
    await trx.updateTable('clients').set({ subId: 'sa' }).where('email', '=', 'b').execute();
  });
  await panel.ok(panel.post('/update/b', { email: 'b', subId: 'sa', comment: 'x' }));
  expect(await panel.stored('b')).toMatchObject({ subId: 'sa', comment: 'x' });
});

test('refuses the identity of another client of the same inbound', async () => {
  await panel.add({ email: 'a', id: UUID }, [inboundId]);
  await panel.add({ email: 'b' }, [inboundId]);
  const id = 'e18c9a96-71bf-ffff-933f-8b9a46d4290c';
  expect(await panel.refusal(panel.post('/update/b', { email: 'b', id }))).toMatch(/^id of b is the same to the core/);
  await panel.ok(panel.post('/update/a', { email: 'a', id }));
});

test('flow follows each inbound, and inboundIds limits which attachments are touched', async () => {
  const ws = await panel.inbound('vless', {}, WEBSOCKET);
  const second = await panel.inbound('vless', {}, REALITY);
  await panel.add({ email: 'a', flow: 'xtls-rprx-vision' }, [inboundId, ws, second]);
  await panel.ok(panel.post(`/update/a?inboundIds=${second},%20${ws}`, { email: 'a', flow: '' }));
  expect((await panel.stored('a'))!.links.map(({ flowOverride }) => flowOverride)).toEqual([
    'xtls-rprx-vision',
    '',
    '',
  ]);
  await panel.ok(panel.post('/update/a', { email: 'a', flow: 'xtls-rprx-vision' }));
  expect((await panel.stored('a'))!.links.map(({ flowOverride }) => flowOverride)).toEqual([
    'xtls-rprx-vision',
    '',
    'xtls-rprx-vision',
  ]);
  expect((await panel.post('/update/a?inboundIds=1,x', { email: 'a' })).obj).toMatchObject({
    issues: [{ field: 'inboundIds', rule: 'format' }],
  });
});

test('a password that fits one of the ciphers is used there; the others keep their keys', async () => {
  const aes128 = await panel.inbound('shadowsocks', { method: '2022-blake3-aes-128-gcm' });
  const trojan = await panel.inbound('trojan');
  await panel.add({ email: 'a', password: 'pw' }, [aes128, trojan]);
  const [link] = (await panel.stored('a'))!.links;
  await panel.ok(panel.post('/update/a', { email: 'a', password: 'pw2' }));
  expect((await panel.stored('a'))!.links[0]).toMatchObject({ passwordOverride: link!.passwordOverride });
  const key = Buffer.alloc(16, 7).toString('base64');
  await panel.ok(panel.post('/update/a', { email: 'a', password: key }));
  expect(await panel.stored('a')).toMatchObject({ password: key, links: [{ passwordOverride: '' }, {}] });
});

test('a client without inbounds is updated too', async () => {
  await panel.add({ email: 'a' }, [inboundId]);
  await panel.ok(panel.post('/a/detach', { inboundIds: [inboundId] }));
  await panel.ok(panel.post('/update/a', { email: 'a', totalGB: 3, enable: false }));
  expect(await panel.stored('a')).toMatchObject({ quotaBytes: 3, enable: 0, links: [] });
});
