import { beforeEach, expect, test } from 'vitest';
import { forEachTest } from '../../../testing/for-each-test.ts';
import { leftOpen, REALITY, startClientPanel, WEBSOCKET } from '../../../testing/panels/client-panel.ts';

let first: number;
let second: number;
const panel = forEachTest(startClientPanel);
beforeEach(async () => {
  first = await panel.inbound('vless', {}, REALITY);
  second = await panel.inbound('vless', {}, REALITY);
});

test('attaches with the same identity, the effective flow and untouched counters', async () => {
  const ws = await panel.inbound('vless', {}, WEBSOCKET);
  await panel.add({ email: 'a', flow: 'xtls-rprx-vision' }, [first]);
  await panel.setState('a', { upBytes: 3, downBytes: 4 });
  const before = (await panel.stored('a'))!;
  const response = await panel.post('/a/attach', { inboundIds: [ws, second, first] });
  expect(response).toEqual({ success: true, msg: 'The client has been attached.', obj: null });
  const after = (await panel.stored('a'))!;
  expect(after).toMatchObject({ uuid: before.uuid, upBytes: 3, downBytes: 4 });
  expect(after.links.map(({ inboundId, flowOverride }) => [inboundId, flowOverride])).toEqual([
    [first, 'xtls-rprx-vision'],
    [second, 'xtls-rprx-vision'],
    [ws, ''],
  ]);
  expect(panel.runtime.applied.at(-1)).toEqual({
    users: [
      { inboundId: second, emails: ['a'] },
      { inboundId: ws, emails: ['a'] },
    ],
  });
});

test('completes credentials that the new inbound needs', async () => {
  await panel.add({ email: 'a' }, [first]);
  await panel.ok(panel.post('/a/attach', { inboundIds: [await panel.inbound('hysteria')] }));
  expect((await panel.stored('a'))!.auth).toMatch(/^[0-9a-f]{32}$/);
});

test('refusals change nothing', async () => {
  const http = await panel.inbound('mixed');
  await panel.add({ email: 'a', id: 'e18c9a96-71bf-48d4-933f-8b9a46d4290c' }, [first]);
  await panel.add({ email: 'b', id: 'e18c9a96-71bf-48d4-933f-8b9a46d4290c' }, [second]);
  const refuse = (email: string, inboundIds: number[]) => panel.refusal(panel.post(`/${email}/attach`, { inboundIds }));
  expect(await refuse('a', [])).toBe('at least one inbound is required');
  expect(await refuse('nobody', [first])).toBe('client not found');
  expect(await refuse('a', [second, 99])).toBe('inbound 99: record not found');
  expect(await refuse('a', [http])).toBe('protocol mixed does not support clients');
  expect(await refuse('a', [second])).toMatch(/^id of a is the same to the core as that of b/);
  expect((await panel.stored('a'))!.links).toHaveLength(1);
  expect(panel.runtime.applied).toHaveLength(2);
});

test('detaches from one inbound only, notifies the core, and keeps client and counters', async () => {
  await panel.add({ email: 'a' }, [first, second]);
  await panel.setState('a', { upBytes: 3 });
  const response = await panel.post('/a/detach', { inboundIds: [first, 99] });
  expect(response).toEqual({ success: true, msg: 'The client has been detached.', obj: leftOpen('a') });
  expect(await panel.stored('a')).toMatchObject({ upBytes: 3, links: [{ inboundId: second }] });
  expect(panel.runtime.applied.at(-1)).toEqual({ users: [{ inboundId: first, emails: ['a'] }] });
  expect(await panel.refusal(panel.post('/nobody/detach', { inboundIds: [first] }))).toBe('client not found');
  expect(await panel.refusal(panel.post('/a/detach', {}))).toBe('at least one inbound is required');
});

test('the flow survives a time without inbounds', async () => {
  await panel.add({ email: 'a', flow: 'xtls-rprx-vision' }, [first]);
  await panel.ok(panel.post('/a/detach', { inboundIds: [first] }));
  expect(await panel.ok(panel.get('/get/a'))).toMatchObject({ client: { flow: 'xtls-rprx-vision' }, inboundIds: [] });
  await panel.ok(panel.post('/a/attach', { inboundIds: [second] }));
  expect((await panel.stored('a'))!.links).toMatchObject([{ inboundId: second, flowOverride: 'xtls-rprx-vision' }]);
});
