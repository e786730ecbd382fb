import { expect, test } from 'vitest';
import { heldFor, recentLosses, type Memory } from './guard.ts';

const DAY_MS = 86_400_000;
const NOW_MS = 10 * DAY_MS;
const memory = (more: Partial<Memory> = {}): Memory => ({ confirmed: 'as now', entries: 1_000, losses: [], ...more });
const proposal = (gone: number, more: object = {}) => ({
  fingerprint: 'as now',
  entries: 1_000,
  clients: 1_000,
  gone,
  ...more,
});

test('a first plan waits even if it changes nothing, and so does the first with other settings', () => {
  expect(heldFor(memory({ confirmed: '' }), proposal(0), NOW_MS)).toBe('first');
  expect(heldFor(memory({ confirmed: 'others' }), proposal(0), NOW_MS)).toBe('first');
  expect(heldFor(memory(), proposal(0), NOW_MS)).toBeNull();
});

test('a tenth may lose access, and not one more', () => {
  expect(heldFor(memory(), proposal(100), NOW_MS)).toBeNull();
  expect(heldFor(memory(), proposal(101), NOW_MS)).toBe('tenth');
  expect(heldFor(memory(), proposal(1, { clients: 9 }), NOW_MS)).toBe('tenth');
});

test('losses of a day add up, however many runs they take', () => {
  let left = 1_000;
  const losses: Memory['losses'] = [];
  for (let run = 0; run < 1_440; run += 1) {
    const nowMs = NOW_MS + run * 60_000;
    const gone = Math.ceil(left / 50);
    if (heldFor(memory({ losses }), proposal(gone, { clients: left }), nowMs) !== null) continue;
    losses.push({ atMs: nowMs, gone, detached: gone });
    left -= gone;
  }
  expect(left).toBeGreaterThanOrEqual(900);
  expect(heldFor(memory({ losses }), proposal(10, { clients: left }), NOW_MS + 3 * DAY_MS)).toBeNull();
  expect(recentLosses(memory({ losses }), NOW_MS + 3 * DAY_MS)).toEqual([]);
});

test('a response of less than half of the last one removes nothing', () => {
  expect(heldFor(memory(), proposal(1, { entries: 499 }), NOW_MS)).toBe('shrunk');
  expect(heldFor(memory(), proposal(1, { entries: 500 }), NOW_MS)).toBeNull();
});
