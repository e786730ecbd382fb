import { beforeEach, expect, it, vi } from 'vitest';
import { manualSchedule } from '../testing/manual-schedule.ts';
import { createSteadyClock } from './steady-clock.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;
const NOW = Date.UTC(2026, 10, 29);
const onLeap = vi.fn<(leap: { shownMs: number; expectedMs: number }) => void>();
beforeEach(() => onLeap.mockClear());

function start({ startMs = NOW, lastSeenMs = null as number | null } = {}) {
  const time = manualSchedule(startMs);
  return { ...time, steady: createSteadyClock({ ...time, lastSeenMs, onLeap }) };
}

it('does not follow a clock that is ten years ahead for some minutes', async () => {
  const { steady, advance, jumpClock } = start();
  await advance(MINUTE);
  jumpClock(3_653 * DAY);
  expect(steady()).toBe(NOW + MINUTE);
  await advance(9 * MINUTE);
  expect(steady()).toBe(NOW + 10 * MINUTE);
  jumpClock(-3_653 * DAY);
  expect(steady()).toBe(NOW + 10 * MINUTE);
  expect(onLeap.mock.calls).toEqual([[{ shownMs: NOW + MINUTE + 3_653 * DAY, expectedMs: NOW + MINUTE }]]);
});

it('follows a clock that stays ahead, and one that was corrected by less than a month', async () => {
  const { steady, advance, jumpClock } = start();
  jumpClock(29 * DAY);
  expect(steady()).toBe(NOW + 29 * DAY);
  jumpClock(40 * DAY);
  expect(steady()).toBe(NOW + 29 * DAY);
  await advance(10 * MINUTE);
  expect(steady()).toBe(NOW + 69 * DAY + 10 * MINUTE);
});

it('each time the clock leaps, it has to stay there anew', async () => {
  const { steady, advance, jumpClock } = start();
  for (let at = 0; at < 2; at++) {
    jumpClock(3_653 * DAY);
    steady();
    await advance(9 * MINUTE);
    jumpClock(-3_653 * DAY);
    expect(steady()).toBe(NOW + (at + 1) * 9 * MINUTE);
  }
  expect(onLeap).toHaveBeenCalledTimes(2);
});

it('follows a clock that is set back', () => {
  const { steady, jumpClock } = start();
  jumpClock(-40 * DAY);
  expect(steady()).toBe(NOW - 40 * DAY);
});

it('continues from the earlier run of the panel when the clock is years ahead at the start', async () => {
  const { steady, advance, jumpClock } = start({ startMs: NOW + 3_653 * DAY, lastSeenMs: NOW });
  expect(steady()).toBe(NOW);
  await advance(MINUTE);
  jumpClock(-3_653 * DAY);
  expect(steady()).toBe(NOW + MINUTE);
});

it('shows whole ms after a leap, too: the database stores no others', () => {
  let monotonicMs = 0.1;
  const monotonic = (): number => (monotonicMs += 0.7);
  const steady = createSteadyClock({ clock: () => NOW + 40 * DAY, monotonic, lastSeenMs: NOW, onLeap });
  expect([steady(), steady(), steady()]).toEqual([NOW + 1, NOW + 1, NOW + 2]);
});

it('follows the clock of a panel that was off for weeks', () => {
  expect(start({ startMs: NOW + 29 * DAY, lastSeenMs: NOW }).steady()).toBe(NOW + 29 * DAY);
});

it.each([0, Date.UTC(2000, 0, 1)])('follows a clock that started at %i when it is corrected', (startMs) => {
  const { steady, jumpClock } = start({ startMs, lastSeenMs: NOW });
  expect(steady()).toBe(startMs);
  jumpClock(NOW - startMs);
  expect(steady()).toBe(NOW);
  expect(onLeap).not.toHaveBeenCalled();
});
