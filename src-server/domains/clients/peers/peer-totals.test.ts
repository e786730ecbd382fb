import { beforeEach, expect, test } from 'vitest';
import { forEachTest } from '../../../testing/for-each-test.ts';
import { DAY_MS, startClientPanel } from '../../../testing/panels/client-panel.ts';
import { clientsToDisable } from '../../traffic/enforcement/repository-enforcement.ts';
import type { ClientPage } from '../list/contract.ts';
import type { ClientTrafficRow } from '../contract.ts';

let inboundId: number;
const panel = forEachTest(startClientPanel);
beforeEach(async () => {
  inboundId = await panel.inbound();
  await panel.add({ email: 'alice', totalGB: 1_000 }, [inboundId]);
  await panel.add({ email: 'bob' }, [inboundId]);
  await panel.setState('alice', { upBytes: 10, downBytes: 300 });
});

const push = (masterGuid: unknown, ...traffics: unknown[]) =>
  panel.call('POST', '/inbounds/pushClientTraffics', { masterGuid, traffics });
const traffic = async (email = 'alice') => {
  const { up, down } = await panel.ok<ClientTrafficRow>(panel.get(`/traffic/${email}`));
  return { up, down };
};
const page = (query = '') => panel.ok<ClientPage>(panel.get(`/list/paged?${query}`));
const due = () => panel.store.write((trx) => clientsToDisable(trx, panel.time.nowMs, 10));
const rows = () => panel.store.reader.selectFrom('peerTotals').selectAll().execute();

test('totals of other panels take effect per direction, in rows and in filters', async () => {
  expect(await push('m1', { email: 'ALICE', up: 600, down: 100 })).toEqual({
    success: true,
    msg: 'success',
    obj: null,
  });
  await push('m2', { email: 'alice', up: 5, down: 400 });
  expect(await traffic()).toEqual({ up: 600, down: 400 });
  const shown = await page('filter=depleted');
  expect(shown.items.map(({ email, traffic: { up, down } }) => [email, up, down])).toEqual([['alice', 600, 400]]);
  expect(shown.summary).toMatchObject({ depleted: ['alice'], active: 1 });
  expect((await page('usageFrom=1000')).filtered).toBe(1);
  expect((await page('sort=traffic&order=descend')).items[0]?.email).toBe('alice');
  const [listed] = (await panel.service.inboundClients.statsOf([inboundId], { overlay: false })).get(inboundId)!;
  expect(listed).toMatchObject({ up: 10, down: 300 });
  const [slim] = (await panel.service.inboundClients.statsOf([inboundId], { overlay: true })).get(inboundId)!;
  expect(slim).toMatchObject({ up: 600, down: 400 });
});

test('delDepleted deletes whom another panel reports as depleted, unless they renew, but none that still works', async () => {
  await panel.add({ email: 'renews', totalGB: 1_000, reset: 30 }, [inboundId]);
  await push('m1', { email: 'alice', up: 600, down: 400 }, { email: 'bob', up: 600, down: 400 });
  await push('m1', { email: 'renews', up: 600, down: 400 });
  await panel.add({ email: 'works', totalGB: 1_000 }, [inboundId]);
  await push('m1', { email: 'works', up: 900, down: 0 });
  await push('m2', { email: 'works', up: 0, down: 900 });
  expect((await page()).summary.depleted).toEqual(['alice', 'renews', 'works']);
  expect(await panel.ok(panel.post('/delDepleted'))).toMatchObject({ deleted: 1 });
  expect((await page()).items.map(({ email }) => email).toSorted()).toEqual(['bob', 'renews', 'works']);
});

test('a quota is used up when one panel above reports it, not when two halves add up to it', async () => {
  await push('m1', { email: 'alice', up: 900, down: 0 });
  await push('m2', { email: 'alice', up: 0, down: 900 });
  expect(await due()).toEqual([]);
  await push('m2', { email: 'alice', up: 100, down: 900 });
  expect(await due()).toHaveLength(1);
});

test('a push overwrites, a day without one clears, and a reset clears at once', async () => {
  await push('m1', { email: 'alice', up: 900, down: 900 });
  await push('m1', { email: 'alice', up: 20, down: 20 });
  expect(await traffic()).toEqual({ up: 20, down: 300 });
  panel.time.nowMs += DAY_MS;
  await panel.service.peers.expire();
  expect(await traffic()).toEqual({ up: 20, down: 300 });
  panel.time.nowMs += 1;
  await panel.service.peers.expire();
  expect(await traffic()).toEqual({ up: 10, down: 300 });
  await push('m1', { email: 'alice', up: 900, down: 900 });
  await panel.ok(panel.post('/resetTraffic/alice'));
  expect(await traffic()).toEqual({ up: 0, down: 0 });
  await push('m1', { email: 'alice', up: 900, down: 900 });
  await panel.ok(panel.post('/del/alice'));
  expect(await rows()).toEqual([]);
});

test('unknown names are dropped, and one malformed entry refuses the whole push', async () => {
  await push('', { email: 'alice', up: 1, down: 1 });
  await push('m1');
  const bad = [null, 7, { email: 'alice' }, { email: 'alice', up: -1, down: 0 }, { email: 'alice', up: 1.5, down: 0 }];
  for (const entry of bad)
    expect(await panel.refusal(push('m1', { email: 'bob', up: 1, down: 2 }, entry))).toBe(
      'request body failed validation',
    );
  await push('m1', { email: 'nobody', up: 1, down: 1 }, { email: '__proto__', up: 1, down: 1 });
  expect(await rows()).toEqual([]);
  await push('m1', { email: 'bob', up: 1, down: 2 });
  expect(await rows()).toHaveLength(1);
  expect(await panel.refusal(push('x'.repeat(65), { email: 'bob', up: 1, down: 1 }))).toBe(
    'request body failed validation',
  );
});

test('at most 32 panels are accepted at a time', async () => {
  for (let at = 0; at < 32; at++) await panel.ok(push(`m${at}`, { email: 'bob', up: 1, down: 1 }));
  expect(await panel.refusal(push('one-too-many', { email: 'bob', up: 1, down: 1 }))).toContain('32 other panels');
  expect((await push('m7', { email: 'bob', up: 2, down: 1 })).success).toBe(true);
  panel.time.nowMs += DAY_MS + 1;
  expect((await push('one-too-many', { email: 'bob', up: 1, down: 1 })).success).toBe(true);
});

test('active inbounds are listed by the panel that serves them', async () => {
  const active = () => panel.ok(panel.post('/activeInbounds'));
  expect(await active()).toEqual({ 'guid-of-this-panel': [] });
  await panel.tick();
  panel.core.move('inbounds', 'in-10001-tcp', 1, 0);
  await panel.tick();
  expect(await active()).toEqual({ 'guid-of-this-panel': ['in-10001-tcp'] });
});

test('50 concurrent adds of one e-mail create one client', async () => {
  const responses = await Promise.all(
    Array.from({ length: 50 }, (_, at) =>
      panel.post('/add', { client: { email: at % 2 ? 'Same' : 'same', subId: `s${at}` }, inboundIds: [inboundId] }),
    ),
  );
  expect(responses.filter(({ success }) => success)).toHaveLength(1);
  const refused = responses.filter(({ success }) => !success).map(({ msg }) => msg);
  expect(refused.every((msg) => /^email already in use: same$/i.test(msg))).toBe(true);
  expect((await page('search=same')).filtered).toBe(1);
});
