import { beforeEach, expect, test } from 'vitest';
import { forEachTest } from '../../../testing/for-each-test.ts';
import { startClientPanel } from '../../../testing/panels/client-panel.ts';

let inboundId: number;
const panel = forEachTest(startClientPanel);
beforeEach(async () => {
  inboundId = await panel.inbound();
});

const UUID = 'e18c9a96-71bf-48d4-933f-8b9a46d4290c';

test('list shows every client with secrets, attachments and counters, by record id', async () => {
  const trojan = await panel.inbound('trojan');
  await panel.add({ email: 'b', subId: 's', id: UUID, password: 'pw', totalGB: 5, reverse: { tag: 't' } }, [
    inboundId,
    trojan,
  ]);
  await panel.add({ email: 'a', enable: false }, [inboundId]);
  await panel.ok(panel.post('/a/detach', { inboundIds: [inboundId] }));
  await panel.setState('b', { upBytes: 1, downBytes: 2 });
  const rows = await panel.ok<Record<string, unknown>[]>(panel.get('/list'));
  expect(rows.map(({ email }) => email)).toEqual(['b', 'a']);
  expect(rows[0]).toEqual({
    recordId: 1,
    email: 'b',
    subId: 's',
    id: UUID,
    uuid: UUID,
    password: 'pw',
    auth: '',
    flow: '',
    security: '',
    reverse: { tag: 't' },
    totalGB: 5,
    expiryTime: 0,
    limitIp: 0,
    tgId: 0,
    comment: '',
    enable: true,
    group: '',
    planId: 0,
    reset: 0,
    resetDay: 0,
    createdAt: panel.time.nowMs,
    updatedAt: panel.time.nowMs,
    inboundIds: [inboundId, trojan],
    traffic: { up: 1, down: 2, enable: true },
  });
  expect(rows[1]).toMatchObject({ inboundIds: [], reverse: null, enable: false, traffic: { enable: false } });
});

test('list spans its pages without losing or repeating a client', async () => {
  expect(await panel.ok(panel.get('/list'))).toEqual([]);
  await seed(1_201);
  const rows = await panel.ok<{ email: string }[]>(panel.get('/list'));
  expect(rows.map(({ email }) => email)).toEqual(Array.from({ length: 1_201 }, (_, i) => `user${i}`));
});

test('get ignores the case of the path and returns external links in order', async () => {
  await panel.add({ email: 'Ali ce'.replace(' ', '+'), id: UUID }, [inboundId]);
  const { id } = (await panel.stored('Ali+ce'))!;
  await panel.store.write(async (trx) => {
    for (const [sortIndex, value] of ['second', 'first'].entries())
      await trx
        .insertInto('clientExternalLinks')
        .values({ clientId: id, kind: 'link', value, remark: 'r', sortIndex: 1 - sortIndex, createdAtMs: 0 })
        .execute();
  });
  await panel.setState('Ali+ce', { upBytes: 1, downBytes: 2 });
  expect(await panel.ok(panel.get(`/get/${encodeURIComponent('ALI+ce')}`))).toEqual({
    client: expect.objectContaining({ email: 'Ali+ce', id: UUID, recordId: id }),
    inboundIds: [inboundId],
    attachments: [],
    externalLinks: [
      { kind: 'link', value: 'first', remark: 'r' },
      { kind: 'link', value: 'second', remark: 'r' },
    ],
    disabledBy: '',
    usedTraffic: 3,
    lastSubFetch: 0,
  });
  expect(await panel.refusal(panel.get('/get/nobody'))).toBe('client not found');
});

test('traffic: counters and limits, null for an unknown client', async () => {
  await panel.add({ email: 'a', id: UUID, subId: 's', totalGB: 5, expiryTime: 6, reset: 7 }, [inboundId]);
  await panel.setState('a', { upBytes: 1, downBytes: 2, lastOnlineAtMs: 1_500 });
  await panel.store.write((trx) => trx.updateTable('clientStates').set({ lastSubFetchAtMs: 1_600 }).execute());
  expect(await panel.ok(panel.get('/traffic/a'))).toEqual({
    id: 1,
    inboundId,
    enable: true,
    email: 'a',
    uuid: UUID,
    subId: 's',
    up: 1,
    down: 2,
    expiryTime: 6,
    total: 5,
    reset: 7,
    resetDay: 0,
    lastOnline: 1_500,
    lastSubFetch: 1_600,
  });
  expect(await panel.ok(panel.get('/get/a'))).toMatchObject({ lastSubFetch: 1_600 });
  expect(await panel.get('/traffic/b')).toEqual({ success: true, msg: '', obj: null });
});

test('onlines and lastOnline', async () => {
  await panel.add({ email: 'a' }, [inboundId]);
  await panel.add({ email: '__proto__' }, [inboundId]);
  await panel.add({ email: 'never' }, [inboundId]);
  await panel.setState('a', { lastOnlineAtMs: 1_999 });
  await panel.setState('__proto__', { lastOnlineAtMs: 2_000 });
  panel.setOnline(new Set(['a']));
  expect(await panel.ok(panel.post('/onlines'))).toEqual(['a']);
  const lastOnline = await panel.ok<object>(panel.post('/lastOnline'));
  expect(Object.entries(lastOnline)).toEqual([
    ['a', 1],
    ['__proto__', 2],
  ]);
});

async function seed(count: number): Promise<void> {
  const inputs = Array.from({ length: count }, (_, i) => ({ email: `user${i}` }));
  const port = panel.service.inboundClients;
  await panel.store.write((trx) =>
    port.attachEntries(trx, { id: inboundId, protocol: 'vless', settings: {}, streamSettings: null }, inputs, {
      mode: 'add',
      nowMs: panel.time.nowMs,
    }),
  );
  port.noteCommitted();
}
