import { create, toBinary } from '@bufbuild/protobuf';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  GetUsersStatsResponseSchema,
  QueryStatsResponseSchema,
} from '../api/generated/app/stats/command/command_pb.ts';
import { createCounterNames, parseCounters } from './parse-counters.ts';
import { parseOnlineUsers } from './parse-online.ts';

const encode = (stat: { name: string; value: bigint }[]): Buffer =>
  Buffer.from(toBinary(QueryStatsResponseSchema, create(QueryStatsResponseSchema, { stat })));
const none = (): boolean => false;

test('columns hold what was encoded, for any names and values', async () => {
  const name = fc
    .string({ unit: 'binary', minLength: 1 })
    .filter((text) => !text.includes('>>>') && !/^>|>$/.test(text));
  const value = fc.bigInt({ min: 0n, max: 2n ** 53n - 1n });
  // Kept over all runs, as over all readings of a process.
  const names = createCounterNames();
  const rows = fc.uniqueArray(fc.tuple(name, value, value), { selector: ([key]) => key });
  await fc.assert(
    fc.asyncProperty(rows, async (wanted) => {
      const { users, inbounds } = await parseCounters(
        encode(
          wanted.flatMap(([key, up, down]) => [
            { name: `user>>>${key}>>>traffic>>>downlink`, value: down },
            { name: `user>>>${key}>>>traffic>>>uplink`, value: up },
          ]),
        ),
        none,
        names,
      );
      expect(inbounds.names).toEqual([]);
      expect(users.names.map((key, row) => [key, BigInt(users.up[row] ?? -1), BigInt(users.down[row] ?? -1)])).toEqual(
        wanted,
      );
    }),
  );
});

test('kinds are kept apart, ignored tags and foreign names are skipped', async () => {
  const tables = await parseCounters(
    encode([
      { name: 'inbound>>>api>>>traffic>>>uplink', value: 1n },
      { name: 'inbound>>>in-1>>>traffic>>>uplink', value: 2n },
      { name: 'outbound>>>direct>>>traffic>>>downlink', value: 3n },
      { name: 'user>>>a>>>b>>>traffic>>>uplink', value: 4n },
      { name: 'user>>>a>>>online', value: 5n },
      { name: 'user>>>>>>traffic>>>uplink', value: 6n },
      { name: 'user>>>neg>>>traffic>>>uplink', value: -1n },
      { name: 'other>>>a>>>traffic>>>uplink', value: 7n },
    ]),
    (tag) => tag === 'api',
    createCounterNames(),
  );
  expect(tables.inbounds).toEqual({
    names: ['in-1'],
    numbers: Int32Array.of(1),
    up: Float64Array.of(2),
    down: Float64Array.of(0),
  });
  expect(tables.outbounds).toEqual({
    names: ['direct'],
    numbers: Int32Array.of(0),
    up: Float64Array.of(0),
    down: Float64Array.of(3),
  });
  expect(tables.users).toEqual({
    names: ['neg'],
    numbers: Int32Array.of(0),
    up: Float64Array.of(0),
    down: Float64Array.of(0),
  });
});

test('a truncated response is an error, not a smaller reading', async () => {
  const bytes = encode([{ name: 'user>>>a>>>traffic>>>uplink', value: 300n }]);
  await expect(parseCounters(bytes.subarray(0, -1), none, createCounterNames())).rejects.toThrow(RangeError);
});

test('parsing a large response yields to the event loop', async () => {
  const stat = Array.from({ length: 60_000 }, (_, i) => ({
    name: `user>>>u${i}@x>>>traffic>>>uplink`,
    value: BigInt(i),
  }));
  const bytes = encode(stat);
  let turns = 0;
  const ticking = setInterval(() => (turns += 1), 0);
  const { users } = await parseCounters(bytes, none, createCounterNames());
  clearInterval(ticking);
  expect(users.names).toHaveLength(60_000);
  expect(users.up[59_999]).toBe(59_999);
  expect(turns).toBeGreaterThan(1);
});

test('online users: brackets are stripped, seconds become ms', async () => {
  const bytes = toBinary(
    GetUsersStatsResponseSchema,
    create(GetUsersStatsResponseSchema, {
      users: [
        {
          email: 'a@x',
          ips: [
            { ip: '[2001:db8::1]', lastSeen: 1_780_000_000n },
            { ip: '192.0.2.1', lastSeen: 5n },
          ],
          traffic: { uplink: 1n, downlink: 2n },
        },
        { email: 'b@x', ips: [] },
      ],
    }),
  );
  expect(await parseOnlineUsers(Buffer.from(bytes))).toEqual([
    {
      email: 'a@x',
      ips: [
        { ip: '2001:db8::1', lastSeenMs: 1_780_000_000_000 },
        { ip: '192.0.2.1', lastSeenMs: 5_000 },
      ],
    },
    { email: 'b@x', ips: [] },
  ]);
});
