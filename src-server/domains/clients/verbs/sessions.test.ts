import { beforeEach, expect, test } from 'vitest';
import { forEachTest } from '../../../testing/for-each-test.ts';
import { leftOpen, startClientPanel } from '../../../testing/panels/client-panel.ts';

let inbound: number;
const panel = forEachTest(startClientPanel);
beforeEach(async () => {
  inbound = await panel.inbound();
  for (const email of ['a', 'b', 'c']) await panel.add({ email }, [inbound]);
});

/** Clients whose sessions the call wanted to end. */
async function endedBy(call: string, body: object = {}): Promise<string[]> {
  panel.ended.length = 0;
  await panel.ok(panel.post(call, body));
  return panel.ended;
}

test('sessions end for exactly those whose access ended', async () => {
  expect(await endedBy('/bulkDisable', { emails: ['a', 'b'] })).toEqual(['a', 'b']);
  expect(await endedBy('/bulkDisable', { emails: ['a'] })).toEqual([]);
  expect(await endedBy('/bulkEnable', { emails: ['a', 'b'] })).toEqual([]);
  expect(await endedBy('/update/a', { email: 'a', totalGB: 5 })).toEqual([]);
  expect(await endedBy('/update/a', { email: 'a', enable: false })).toEqual(['a']);
  expect(await endedBy('/update/b', { email: 'b', id: '2d9a6e5c-4d3e-4c56-9d07-9f8f3a8a4d11' })).toEqual(['b']);
  expect(await endedBy('/bulkDetach', { emails: ['b'], inboundIds: [inbound] })).toEqual(['b']);
  expect(await endedBy('/bulkDel', { emails: ['b', 'c'] })).toEqual(['c']);
});

test('the name used for connections is the one before the change', async () => {
  const id = '2d9a6e5c-4d3e-4c56-9d07-9f8f3a8a4d11';
  expect(await endedBy('/update/a', { email: 'renamed', id })).toEqual(['a']);
});

test('after the core has accepted the change, and the response reports what was done', async () => {
  const order: string[] = [];
  const apply = panel.runtime.apply.bind(panel.runtime);
  panel.runtime.apply = async (change) => {
    order.push('applied');
    return apply(change);
  };
  panel.ended.push = (...emails) => order.push(...emails);
  expect(await panel.ok(panel.post('/bulkDisable', { emails: ['a'] }))).toEqual({
    changed: 1,
    skipped: [],
    ...leftOpen('a'),
  });
  expect(order).toEqual(['applied', 'a']);
});

test('the caller chooses how far to go', async () => {
  const calls: [string, object][] = [
    ['/update/a?sessions=leave', { email: 'a', enable: false }],
    ['/bulkDisable?sessions=readd', { emails: ['b'] }],
    ['/bulkEnable', { emails: ['a', 'b'] }],
    ['/a/detach?sessions=restart', { inboundIds: [inbound] }],
    ['/bulkDetach?sessions=cut', { emails: ['b'], inboundIds: [inbound] }],
    ['/del/c?sessions=leave&keepTraffic=1', {}],
  ];
  for (const [call, body] of calls) await panel.ok(panel.post(call, body));
  await panel.add({ email: 'd' }, [inbound]);
  await panel.ok(panel.post('/bulkDel?sessions=restart', { emails: ['d'] }));
  expect(panel.choices).toEqual(['leave', 'readd', 'restart', 'cut', 'leave', 'restart']);
  await panel.add({ email: 'e' }, [inbound]);
  await panel.refusal(panel.post('/bulkDisable?sessions=burn', { emails: ['e'] }));
  expect((await panel.stored('e'))?.enable).toBe(1);
});
