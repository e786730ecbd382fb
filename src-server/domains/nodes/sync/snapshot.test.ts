import { expect, test } from 'vitest';
import type { NodeClient } from '../node-client.ts';
import { readSnapshot } from './read-node.ts';
import { areSameClients, counterLookup, keepLater, otherCounters, toSnapshot } from './snapshot.ts';

const stats = (email: string, more: object = {}) => ({ email, up: 1, down: 2, enable: true, ...more });
const inbound = (id: number, clientStats: unknown) => ({ id, tag: `in-${id}`, up: 5, down: 6, clientStats, more: 'x' });
const envelope = (obj: unknown) => JSON.stringify({ success: true, msg: '', obj });
/** A node that returns this response to every request. */
const nodeSaying = (text: string): Pick<NodeClient, 'raw'> => ({
  raw: async () => ({ body: Buffer.from(text), tag: 'W/"1"', order: '' }),
});

test('a counter listed under several inbounds counts once, as the largest of its copies', () => {
  const snapshot = toSnapshot(
    envelope([
      inbound(1, [stats('Alice', { up: 10, lastOnline: 7 }), stats('bob', { expiryTime: -5 })]),
      inbound(2, [stats('alice', { up: 9, down: 30, enable: false, expiryTime: 4, lifetimeUp: 90, lifetimeDown: 0 })]),
      inbound(3, null),
    ]),
    new Map(),
  );
  expect(snapshot.counters.emailKeys).toEqual(['alice', 'bob']);
  expect({ ...snapshot.counters, emailKeys: [] }).toEqual({
    emailKeys: [],
    up: Float64Array.of(10, 1),
    down: Float64Array.of(30, 2),
    isEnabled: Float64Array.of(0, 1),
    expiresAtMs: Float64Array.of(4, -5),
    lastOnlineAtMs: Float64Array.of(7, 0),
    // Bob's node does not report them.
    lifetimeUp: Float64Array.of(90, -1),
    lifetimeDown: Float64Array.of(0, -1),
  });
  expect(snapshot.inbounds.map(({ id, clients }) => [id, [...clients]])).toEqual([
    [1, [0, 1]],
    [2, [0]],
    [3, []],
  ]);
  const counterOf = counterLookup(snapshot);
  expect([counterOf('bob'), counterOf('nobody')]).toEqual([
    { upBytes: 1, downBytes: 2 },
    { upBytes: 0, downBytes: 0 },
  ]);
});

test('of two responses only the changed clients count', () => {
  const countersOf = (...rows: object[]) => toSnapshot(envelope([inbound(1, rows)]), new Map()).counters;
  const before = countersOf(stats('a'), stats('b'), stats('c'), stats('d'));
  expect(otherCounters(before, before).emailKeys).toEqual([]);
  const now = countersOf(stats('a'), stats('b', { up: 9 }), stats('c', { enable: false }), stats('d'), stats('new'));
  const others = otherCounters(before, now);
  expect(others.emailKeys).toEqual(['b', 'c', 'new']);
  expect([others.up, others.isEnabled]).toEqual([Float64Array.of(9, 1, 1), Float64Array.of(1, 0, 1)]);
});

test('responses that differ only in counters are distinguished from those with another client or deadline', () => {
  const countersOf = (...rows: object[]) => toSnapshot(envelope([inbound(1, rows)]), new Map()).counters;
  const before = countersOf(stats('a'), stats('b', { expiryTime: 5 }));
  expect(areSameClients(before, countersOf(stats('a', { up: 9, enable: false }), stats('b', { expiryTime: 5 })))).toBe(
    true,
  );
  expect(areSameClients(before, countersOf(stats('a'), stats('b', { expiryTime: 6 })))).toBe(false);
  expect(areSameClients(before, countersOf(stats('a')))).toBe(false);
  expect(areSameClients(before, countersOf(stats('a'), stats('b', { expiryTime: 5 }), stats('c')))).toBe(false);
});

test('the later of two responses reuses the memory of the earlier one if both name the same clients', () => {
  const countersOf = (...rows: object[]) => toSnapshot(envelope([inbound(1, rows)]), new Map()).counters;
  const before = countersOf(stats('a'), stats('b'));
  const now = () =>
    countersOf(stats('a', { up: 7, lastOnline: 5 }), stats('b', { enable: false, down: 8, expiryTime: 9 }));
  expect(keepLater(before, now())).toBe(before);
  expect(before).toEqual(now());
  const others = countersOf(stats('a'), stats('c'));
  expect(keepLater(before, others)).toBe(others);
  expect(keepLater(others, countersOf(stats('a'))).emailKeys).toEqual(['a']);
  expect(before).toEqual(now());
});

test('a long response is parsed in a thread, with the same result', async () => {
  const long = envelope(
    [1, 2].map((id) =>
      inbound(
        id,
        Array.from({ length: 8_000 }, (_, at) =>
          stats(`client-${at}@example.org`, { up: at * id, padding: 'x'.repeat(64) }),
        ),
      ),
    ),
  );
  expect(long.length).toBeGreaterThan(1_048_576);
  expect(await readSnapshot(nodeSaying(long), new Map())).toEqual({
    snapshot: toSnapshot(long, new Map()),
    tag: 'W/"1"',
    order: '',
  });
});

test('a configuration is sent once: its stamp changes with it, and not with counters', () => {
  const listed = (more: object) => envelope([{ ...inbound(1, [stats('alice')]), settings: { clients: [] }, ...more }]);
  const [first] = toSnapshot(listed({}), new Map()).inbounds;
  expect(first!.reported).toMatchObject({ tag: 'in-1', settings: { clients: [] }, more: 'x' });
  const known = new Map([['in-1', first!.stamp]]);
  expect(
    toSnapshot(listed({ up: 77, clientStats: [stats('alice', { up: 9 })] }), known).inbounds[0]!.reported,
  ).toBeNull();
  const [changed] = toSnapshot(listed({ settings: { clients: [{ email: 'bob' }] } }), known).inbounds;
  expect(changed!.reported).toMatchObject({ settings: { clients: [{ email: 'bob' }] } });
});

test.each([
  ['short', ''],
  ['long', 'x'.repeat(2_000_000)],
])('a refusal of the node and an invalid response are reported, %s', async (_, filling) => {
  const refusal = JSON.stringify({ success: false, msg: 'not\nnow', obj: filling });
  await expect(readSnapshot(nodeSaying(refusal), new Map())).rejects.toMatchObject({
    code: 'node.refused',
    params: { text: 'not now' },
  });
  await expect(readSnapshot(nodeSaying(`${filling}<html>`), new Map())).rejects.toMatchObject({
    code: 'node.badAnswer',
  });
  await expect(readSnapshot(nodeSaying(envelope([{ id: 'x', filling }])), new Map())).rejects.toMatchObject({
    code: 'node.badAnswer',
  });
});
