import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { manualSchedule } from '../testing/manual-schedule.ts';
import { recordingLogger } from '../testing/test-store.ts';
import { createScheduler } from './scheduler.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

describe('every and after', () => {
  it('runs every interval, first after one interval, until cancelled', async () => {
    const { schedule, advance, clock } = manualSchedule(0);
    const at: number[] = [];
    const timer = schedule.every(2_000, () => void at.push(clock()));
    await advance(6_500);
    expect(at).toEqual([2_000, 4_000, 6_000]);
    timer.cancel();
    timer.cancel();
    await advance(10_000);
    expect(at).toHaveLength(3);
  });

  it('runs once after a delay, even one longer than a Node timer can be', async () => {
    const { schedule, advance } = manualSchedule();
    let runs = 0;
    schedule.after(60 * DAY, () => void runs++);
    await advance(60 * DAY - 1);
    expect(runs).toBe(0);
    await advance(1);
    await advance(100 * DAY);
    expect(runs).toBe(1);
  });

  it('skips ticks while a run is under way and goes on afterwards', async () => {
    const { schedule, advance } = manualSchedule();
    let finish = (): void => {};
    let runs = 0;
    schedule.every(1_000, async () => {
      runs += 1;
      await new Promise<void>((resolve) => (finish = resolve));
    });
    await advance(5_000, { settle: false });
    expect(runs).toBe(1);
    finish();
    await turn();
    await advance(1_000, { settle: false });
    expect(runs).toBe(2);
    finish();
  });

  it('logs what a run throws and keeps running', async () => {
    const { schedule, advance, log } = manualSchedule();
    let runs = 0;
    const failure = new Error('disk full');
    schedule.every(1_000, async () => {
      runs += 1;
      throw failure;
    });
    await advance(3_000);
    expect(runs).toBe(3);
    expect(log.lines).toEqual(
      Array.from({ length: 3 }, () => ({ level: 'error', event: 'schedule.runFailed', fields: { error: failure } })),
    );
  });

  it('lets a run cancel its own timer', async () => {
    const { schedule, advance } = manualSchedule();
    let runs = 0;
    const timer = schedule.every(1_000, () => {
      runs += 1;
      timer.cancel();
    });
    await advance(5_000);
    expect(runs).toBe(1);
  });

  it('refuses an interval that would spin', () => {
    const { schedule } = manualSchedule();
    expect(() => schedule.every(0, () => {})).toThrow(RangeError);
    expect(() => schedule.every(Number.NaN, () => {})).toThrow(RangeError);
  });
});

describe('cron', () => {
  it('follows local time across a change to summer time', async () => {
    // 2024-03-31 02:00 jumps to 03:00 in Berlin.
    const { schedule, advance, clock } = manualSchedule(Date.parse('2024-03-30T00:00:00Z'));
    const at: string[] = [];
    schedule.cron('30 4 * * *', 'Europe/Berlin', () => void at.push(new Date(clock()).toISOString()));
    await advance(3 * DAY);
    expect(at).toEqual(['2024-03-30T03:30:00.000Z', '2024-03-31T02:30:00.000Z', '2024-04-01T02:30:00.000Z']);
  });

  it('runs once for many moments missed in a suspend', async () => {
    const { schedule, advance, jumpClock } = manualSchedule(Date.parse('2024-01-01T00:00:30Z'));
    let runs = 0;
    schedule.cron('0 * * * *', 'UTC', () => void runs++);
    await advance(MINUTE);
    jumpClock(10 * HOUR);
    await advance(MINUTE);
    expect(runs).toBe(1);
    await advance(HOUR);
    expect(runs).toBe(2);
  });

  it('does not wait for the old future when the clock is set back', async () => {
    const { schedule, advance, jumpClock } = manualSchedule(Date.parse('2024-01-10T00:00:00Z'));
    let runs = 0;
    schedule.cron('0 * * * *', 'UTC', () => void runs++);
    await advance(MINUTE);
    jumpClock(-5 * DAY);
    await advance(HOUR);
    expect(runs).toBe(1);
  });

  it('has missed nothing when the clock of the start was in 1970', async () => {
    const { schedule, advance, jumpClock } = manualSchedule(0);
    let runs = 0;
    schedule.cron('0 0 1 * *', 'UTC', () => void runs++);
    await advance(MINUTE);
    jumpClock(Date.parse('2026-11-29T10:00:00Z'));
    await advance(HOUR);
    expect(runs).toBe(0);
    await advance(2 * DAY);
    expect(runs).toBe(1);
  });

  it('refuses expressions and zones it cannot read, naming them', () => {
    const { schedule } = manualSchedule();
    expect(() => schedule.cron('61 * * * *', 'UTC', () => {})).toThrow(/"61 \* \* \* \*"/);
    expect(() => schedule.cron('0 0 * * *', 'Mars/Base', () => {})).toThrow(RangeError);
    expect(() => schedule.cron('0 0 * * *', 'Mars/Base', () => {})).toThrow(/Mars\/Base/);
  });
});

describe('close', () => {
  it('waits for the run under way and never starts another', async () => {
    const schedule = createScheduler({ clock: Date.now, log: recordingLogger() });
    let finish = (): void => {};
    let hasEnded = false;
    await new Promise<void>((started) => {
      schedule.after(0, async () => {
        started();
        await new Promise<void>((resolve) => (finish = resolve));
        schedule.after(0, () => {
          throw new Error('ran after close');
        });
        hasEnded = true;
      });
    });
    const closed = schedule.close();
    finish();
    await closed;
    expect(hasEnded).toBe(true);
    await turn();
  });
});
