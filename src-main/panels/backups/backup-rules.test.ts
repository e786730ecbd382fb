import { expect, it, vi } from 'vitest';
import type { BackupsChoices } from '../../bridge/maintenance.ts';
import { isDue, lastDueMs, minuteOf } from './backup-schedule.ts';
import { outdated } from './keeping-rule.ts';

const KEEP = { daily: 7, weekly: 4, monthly: 12 };
const at = (month: number, day: number, hour = 3): number => new Date(2026, month - 1, day, hour).getTime();

it('keeps one of each of seven days, four weeks and twelve months; damaged ones go once a good one is newer', () => {
  const good = (takenAtMs: number) => ({ takenAtMs, state: 'good' as const });
  const days = Array.from({ length: 500 }, (_, index) => good(at(11, 23) - index * 86_400_000));
  const nowMs = at(11, 23, 4);
  const gone = new Set(outdated(days, KEEP, nowMs));
  const kept = days.filter((backup) => !gone.has(backup)).map(({ takenAtMs }) => takenAtMs);
  const dayText = (ms: number): string => new Date(ms).toDateString();
  expect(kept.slice(0, 7).map(dayText)).toEqual(days.slice(0, 7).map(({ takenAtMs }) => dayText(takenAtMs)));
  expect(kept).toContain(at(11, 15));
  expect(kept).toContain(at(10, 31));
  expect(kept).toContain(at(1, 31) - 31 * 86_400_000);
  expect(kept.length).toBeLessThanOrEqual(7 + 3 + 12);
  // Kept ones are kept the next time too, in any order.
  expect(outdated(days.filter((backup) => !gone.has(backup)).toReversed(), KEEP, nowMs)).toEqual([]);

  const broken = { takenAtMs: at(11, 20), state: 'damaged' as const };
  expect(outdated([broken, good(at(11, 19))], KEEP, nowMs)).toEqual([]);
  expect(outdated([broken, good(at(11, 21))], KEEP, nowMs)).toEqual([broken]);
  // The only intact one stays, however old it is and whatever came after it.
  expect(outdated([broken, good(at(1, 1))], { daily: 1, weekly: 0, monthly: 0 }, nowMs)).toEqual([]);
});

it('panels are due once a day, each at its time; at once after a time off; later after a failure', () => {
  const choices: BackupsChoices = { isOn: true, atMin: 180, ownAtMin: { own: 600 }, off: ['off'], keep: KEEP };
  const never = { takenAtMs: 0, failedAtMs: 0 };
  expect(minuteOf('own', choices)).toBe(600);
  const minutes = Array.from({ length: 20 }, (_, index) => minuteOf(`panel-${index}`, choices));
  expect(new Set(minutes).size).toBeGreaterThan(10);
  expect(minutes.every((minute) => minute >= 180 && minute < 240)).toBe(true);
  expect(isDue('own', choices, never, at(11, 23, 9))).toBe(true);
  expect(isDue('own', choices, { takenAtMs: at(11, 22, 11), failedAtMs: 0 }, at(11, 23, 9))).toBe(false);
  expect(isDue('own', choices, { takenAtMs: at(11, 22, 11), failedAtMs: 0 }, at(11, 23, 11))).toBe(true);
  expect(isDue('own', choices, { takenAtMs: 0, failedAtMs: at(11, 23, 11) }, at(11, 23, 11) + 60_000)).toBe(false);
  expect(isDue('own', choices, { takenAtMs: 0, failedAtMs: at(11, 23, 11) }, at(11, 23, 13))).toBe(true);
  expect(isDue('off', choices, never, at(11, 23, 9))).toBe(false);
  expect(isDue('own', { ...choices, isOn: false }, never, at(11, 23, 9))).toBe(false);
});

it('a day that has not 24 hours makes no backup due twice', () => {
  vi.stubEnv('TZ', 'Europe/Berlin');
  try {
    const choices: BackupsChoices = { isOn: true, atMin: 0, ownAtMin: { own: 600 }, off: [], keep: KEEP };
    // The clock is set back on October 25, 2026, and forward on March 29.
    for (const [month, day] of [
      [10, 25],
      [3, 29],
    ] as const) {
      expect(lastDueMs('own', choices, at(month, day, 9))).toBe(at(month, day - 1, 10));
      expect(isDue('own', choices, { takenAtMs: at(month, day - 1, 10), failedAtMs: 0 }, at(month, day, 9))).toBe(
        false,
      );
    }
  } finally {
    vi.unstubAllEnvs();
  }
});
