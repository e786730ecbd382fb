import { beforeEach, expect, test } from 'vitest';
import { forEachTest } from '../../../testing/for-each-test.ts';
import { startClientPanel } from '../../../testing/panels/client-panel.ts';

let inboundId: number;
const panel = forEachTest(startClientPanel);
beforeEach(async () => {
  inboundId = await panel.inbound();
});

const ledgerSum = async (email: string) => {
  const { id, upBytes, downBytes } = (await panel.stored(email))!;
  const rows = await panel.store.reader.selectFrom('trafficLedger').selectAll().where('clientId', '=', id).execute();
  const sum = (key: 'upBytes' | 'downBytes') => rows.reduce((total, row) => total + row[key], 0);
  return { counters: [upBytes, downBytes], ledger: [sum('upBytes'), sum('downBytes')] };
};

test('resets the counters with a ledger entry and enables the client, whatever had disabled it', async () => {
  await panel.add({ email: 'a', totalGB: 10, group: 'g', enable: false }, [inboundId]);
  await panel.ok(panel.post('/updateTraffic/a', { upload: 6, download: 7 }));
  const response = await panel.post('/resetTraffic/A');
  expect(response).toEqual({ success: true, msg: 'Traffic has been reset.', obj: null });
  expect(await panel.stored('a')).toMatchObject({
    upBytes: 0,
    downBytes: 0,
    enable: 1,
    disabledBy: '',
    quotaBytes: 10,
  });
  expect(await ledgerSum('a')).toEqual({ counters: [0, 0], ledger: [0, 0] });
  expect(panel.runtime.applied.at(-1)).toEqual({ users: [{ inboundId, emails: ['a'] }] });
  expect(await panel.store.reader.selectFrom('clientGroups').selectAll().execute()).toMatchObject([
    { name: 'g', upBaselineBytes: -6, downBaselineBytes: -7 },
  ]);
});

test('an unattached client is reset too, an unknown one refused', async () => {
  await panel.add({ email: 'a' }, [inboundId]);
  await panel.ok(panel.post('/a/detach', { inboundIds: [inboundId] }));
  await panel.setState('a', { upBytes: 5 });
  await panel.ok(panel.post('/resetTraffic/a'));
  expect(await panel.stored('a')).toMatchObject({ upBytes: 0 });
  expect(await panel.refusal(panel.post('/resetTraffic/b'))).toBe('client not found');
});

test('resetAllTraffics resets all clients and enables those disabled only by their quota', async () => {
  for (const email of ['fine', 'spent', 'byHand', 'expired'])
    await panel.add({ email, totalGB: 10, group: 'g' }, [inboundId]);
  await panel.setState('fine', { upBytes: 1 });
  await panel.setState('spent', { upBytes: 6, downBytes: 4, enable: 0, disabledBy: 'loop' });
  await panel.setState('byHand', { upBytes: 20, enable: 0, disabledBy: 'admin' });
  await panel.setState('expired', { upBytes: 12, enable: 0, disabledBy: 'loop', expiresAtMs: panel.time.nowMs });
  const response = await panel.post('/resetAllTraffics');
  expect(response.success).toBe(true);
  expect(await panel.stored('fine')).toMatchObject({ upBytes: 0, enable: 1 });
  expect(await panel.stored('spent')).toMatchObject({ upBytes: 0, downBytes: 0, enable: 1, disabledBy: '' });
  expect(await panel.stored('byHand')).toMatchObject({ upBytes: 0, enable: 0, disabledBy: 'admin' });
  expect(await panel.stored('expired')).toMatchObject({ upBytes: 0, enable: 0, disabledBy: 'loop' });
  expect(panel.runtime.applied.at(-1)).toEqual({ users: [{ inboundId, emails: ['spent'] }] });
  expect(await panel.store.reader.selectFrom('clientGroups').selectAll().execute()).toMatchObject([
    { upBaselineBytes: -39, downBaselineBytes: -4 },
  ]);
});

test('resetAllTraffics includes clients whose usage was only pushed by a panel above', async () => {
  const push = (...emails: string[]) =>
    panel.ok(
      panel.call('POST', '/inbounds/pushClientTraffics', {
        masterGuid: 'm',
        traffics: emails.map((email) => ({ email, up: 4, down: 8 })),
      }),
    );
  for (const email of ['pushed', 'spent', 'silent', 'byHand']) await panel.add({ email, totalGB: 10 }, [inboundId]);
  await push('pushed', 'spent', 'byHand');
  const off = { enable: 0, disabledBy: 'loop' } as const;
  // The panel that had pushed the usage has been silent for a day.
  for (const email of ['spent', 'silent']) await panel.setState(email, off);
  await panel.setState('byHand', { enable: 0, disabledBy: 'admin' });
  await panel.ok(panel.post('/resetAllTraffics'));
  expect(await panel.stored('pushed')).toMatchObject({ peerUpBytes: 0, peerDownBytes: 0, enable: 1 });
  expect(await panel.stored('spent')).toMatchObject({ peerUpBytes: 0, peerDownBytes: 0, enable: 1, disabledBy: '' });
  expect(await panel.stored('silent')).toMatchObject({ enable: 1, disabledBy: '' });
  expect(await panel.stored('byHand')).toMatchObject({ peerUpBytes: 0, enable: 0, disabledBy: 'admin' });
  expect(panel.runtime.applied.at(-1)).toEqual({ users: [{ inboundId, emails: ['spent', 'silent'] }] });
});

test('updateTraffic sets the two counters and nothing else', async () => {
  await panel.add({ email: 'a', totalGB: 5 }, [inboundId]);
  const applied = panel.runtime.applied.length;
  const response = await panel.post('/updateTraffic/a', { upload: 8, download: 9 });
  expect(response).toEqual({ success: true, msg: 'Traffic has been updated.', obj: null });
  expect(await panel.stored('a')).toMatchObject({ upBytes: 8, downBytes: 9, enable: 1 });
  expect(await ledgerSum('a')).toEqual({ counters: [8, 9], ledger: [8, 9] });
  expect(panel.runtime.applied).toHaveLength(applied);
  expect(await panel.refusal(panel.post('/updateTraffic/b', { upload: 1, download: 1 }))).toBe('client not found');
  const { obj } = await panel.post('/updateTraffic/a', { upload: -1 });
  expect(obj).toMatchObject({
    issues: [
      { field: 'upload', rule: 'gte' },
      { field: 'download', rule: 'required' },
    ],
  });
});
