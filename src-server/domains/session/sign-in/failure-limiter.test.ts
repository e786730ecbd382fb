import { expect, test } from 'vitest';
import { createAttemptGuard } from './attempt-guard.ts';
import { createFailureLimiter } from './failure-limiter.ts';

const MINUTE_MS = 60_000;
const RULE = { threshold: 5, windowMs: 5 * MINUTE_MS, blockMs: 15 * MINUTE_MS, maxRecords: 10 };

function limiter() {
  const time = { nowMs: 1_700_000_000_000 };
  const limit = createFailureLimiter(RULE, () => time.nowMs);
  const fail = (key: string) => {
    const isAdmitted = limit.begin(key);
    if (isAdmitted) limit.settle(key, 'failed');
    return isAdmitted;
  };
  return { time, limit, fail };
}

test('the fifth failure blocks for fifteen minutes, and attempts meanwhile do not prolong it', () => {
  const { time, fail } = limiter();
  expect([1, 2, 3, 4, 5].map(() => fail('a'))).toEqual([true, true, true, true, true]);
  expect(fail('a')).toBe(false);
  time.nowMs += 15 * MINUTE_MS - 1;
  expect(fail('a')).toBe(false);
  time.nowMs += 1;
  expect([1, 2, 3, 4, 5, 6].map(() => fail('a'))).toEqual([true, true, true, true, true, false]);
});

test('failures older than the window expire', () => {
  const { time, fail } = limiter();
  for (let i = 0; i < 4; i++) fail('a');
  time.nowMs += 5 * MINUTE_MS;
  expect([1, 2, 3, 4].map(() => fail('a'))).toEqual([true, true, true, true]);
  expect(fail('a')).toBe(true);
  expect(fail('a')).toBe(false);
});

test('a success clears the failures; keys do not affect each other', () => {
  const { limit, fail } = limiter();
  for (let i = 0; i < 4; i++) fail('a');
  limit.begin('a');
  limit.settle('a', 'forgiven');
  expect([1, 2, 3, 4, 5].map(() => fail('a'))).toEqual([true, true, true, true, true]);
  expect(fail('b')).toBe(true);
});

test('attempts in progress count, so that many at once gain nothing', () => {
  const { limit } = limiter();
  expect([1, 2, 3, 4, 5, 6].map(() => limit.begin('a'))).toEqual([true, true, true, true, true, false]);
  for (let i = 0; i < 5; i++) limit.settle('a', 'void');
  expect(limit.size()).toBe(0);
  expect(limit.begin('a')).toBe(true);
});

test('a flood of keys keeps memory bounded and does not evict a block', () => {
  const { fail, limit } = limiter();
  for (let i = 0; i < 5; i++) fail('blocked');
  for (let i = 0; i < 1000; i++) fail(`name ${i}`);
  expect(limit.size()).toBe(10);
  expect(fail('blocked')).toBe(false);
});

test('when everything is blocked, room is still made', () => {
  const { fail, limit } = limiter();
  for (let key = 0; key < 10; key++) for (let i = 0; i < 5; i++) fail(`k${key}`);
  expect(fail('new')).toBe(true);
  expect(limit.size()).toBe(10);
});

test('at the cap expired records are evicted first', () => {
  const { time, fail, limit } = limiter();
  fail('old');
  time.nowMs += 5 * MINUTE_MS;
  for (let i = 0; i < 9; i++) for (let n = 0; n < 4; n++) fail(`k${i}`);
  fail('new');
  expect(limit.size()).toBe(10);
  // None of the nine lost its four failures: one more each blocks.
  for (let i = 0; i < 9; i++) expect([fail(`k${i}`), fail(`k${i}`)]).toEqual([true, false]);
});

function guard() {
  const time = { nowMs: 1_700_000_000_000 };
  const attempts = createAttemptGuard(() => time.nowMs);
  const fail = (address: string, username: string) => {
    const attempt = attempts.begin(address, username);
    attempt?.failed();
    return attempt !== null;
  };
  return { time, attempts, fail };
}

test('per address and account: case and blanks of the name do not make another account', () => {
  const { fail } = guard();
  for (const name of ['Admin', 'admin', ' admin', 'ADMIN ', 'admin']) expect(fail('192.0.2.1', name)).toBe(true);
  expect(fail('192.0.2.1', 'admin')).toBe(false);
  expect(fail('192.0.2.1', 'other')).toBe(true);
  expect(fail('192.0.2.2', 'admin')).toBe(true);
});

test('per address: fifty failures over any names block it, even across one IPv6 network', () => {
  const { fail } = guard();
  for (let i = 0; i < 50; i++) expect(fail(`2001:db8:1:2::${i.toString(16)}`, `name ${i}`)).toBe(true);
  expect(fail('2001:db8:1:2:ffff::1', 'fresh')).toBe(false);
  expect(fail('2001:db8:1:3::1', 'fresh')).toBe(true);
});

test('per account and overall: a distributed attack is stopped, the known address of the admin is not', () => {
  const { attempts, fail } = guard();
  attempts.begin('192.0.2.200', 'admin')?.succeeded();
  let admitted = 0;
  for (let i = 0; i < 150; i++) if (fail(`198.51.100.${i}`, 'admin')) admitted++;
  expect(admitted).toBe(100);
  for (let i = 0; i < 400; i++) if (fail(`203.0.${Math.trunc(i / 200)}.${i % 200}`, `name ${i}`)) admitted++;
  expect(admitted).toBe(300);
  expect(attempts.begin('192.0.2.99', 'somebody')).toBeNull();
  expect(attempts.begin('192.0.2.200', 'admin')).not.toBeNull();
});
