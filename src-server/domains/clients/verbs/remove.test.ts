import { beforeEach, expect, test } from 'vitest';
import { forEachTest } from '../../../testing/for-each-test.ts';
import { leftOpen, startClientPanel } from '../../../testing/panels/client-panel.ts';

let inboundId: number;
const panel = forEachTest(startClientPanel);
beforeEach(async () => {
  inboundId = await panel.inbound();
});

const rows = async (table: 'clients' | 'clientStates' | 'clientInbounds' | 'keptTraffics' | 'clientExternalLinks') =>
  panel.store.reader.selectFrom(table).selectAll().execute();

test('deletes the client with all dependent rows', async () => {
  const second = await panel.inbound('trojan');
  await panel.add({ email: 'a' }, [inboundId, second]);
  const { id } = (await panel.stored('a'))!;
  await panel.store.write(async (trx) => {
    await trx
      .insertInto('clientExternalLinks')
      .values({ clientId: id, kind: 'link', value: 'v', remark: '', sortIndex: 0, createdAtMs: 0 })
      .execute();
  });
  const response = await panel.post('/del/A', {}, { 'X-Request-Id': 'tab' });
  expect(response).toEqual({ success: true, msg: 'Inbound client has been deleted.', obj: leftOpen('a') });
  for (const table of ['clients', 'clientStates', 'clientInbounds', 'keptTraffics', 'clientExternalLinks'] as const)
    expect(await rows(table)).toEqual([]);
  expect(panel.runtime.applied.at(-1)).toEqual({
    users: [
      { inboundId, emails: ['a'] },
      { inboundId: second, emails: ['a'] },
    ],
  });
  expect(panel.events.at(-1)).toEqual({ type: 'invalidate', resource: 'clients', requestId: 'tab' });
});

test('a disabled client leaves no sessions to report', async () => {
  await panel.add({ email: 'a', enable: false }, [inboundId]);
  expect(await panel.ok(panel.post('/del/a'))).toBeNull();
});

test('keepTraffic=1 keeps the counters, and a second delete drops them', async () => {
  await panel.add({ email: 'Alice' }, [inboundId]);
  await panel.setState('Alice', { upBytes: 1, downBytes: 2, lastOnlineAtMs: 3 });
  await panel.ok(panel.post('/del/alice?keepTraffic=1'));
  expect(await rows('keptTraffics')).toEqual([
    { emailKey: 'alice', email: 'Alice', upBytes: 1, downBytes: 2, lastOnlineAtMs: 3 },
  ]);
  expect(await panel.ok(panel.get('/traffic/ALICE'))).toMatchObject({ email: 'Alice', up: 1, down: 2, id: 0 });
  expect(await panel.refusal(panel.post('/del/alice?keepTraffic=1'))).toBe(
    'client "alice" not found in any inbound or client record',
  );
  await panel.ok(panel.post('/del/alice'));
  expect(await rows('keptTraffics')).toEqual([]);
});

test('a client with the name of a call can be deleted', async () => {
  await panel.add({ email: 'attach' }, [inboundId]);
  await panel.ok(panel.post('/del/attach'));
  expect(await rows('clients')).toEqual([]);
});
