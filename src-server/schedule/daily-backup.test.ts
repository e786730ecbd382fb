import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { listBackups } from '../store/backups.ts';
import { manualSchedule } from '../testing/manual-schedule.ts';
import { openTestStore } from '../testing/test-store.ts';
import { startDailyBackup } from './daily-backup.ts';

const HOUR = 3_600_000;
const onFailed = vi.fn<(error: unknown) => void>();
const onTaken = vi.fn<() => void>();
beforeEach(() => {
  onFailed.mockClear();
  onTaken.mockClear();
});
let dispose: (() => Promise<void>) | null = null;
afterEach(async () => {
  await dispose?.();
  dispose = null;
});

async function start() {
  const time = manualSchedule();
  const opened = await openTestStore(time.clock);
  dispose = () => opened.dispose();
  const { store } = opened;
  const { schedule, clock, log } = time;
  const timer = startDailyBackup({ store, schedule, clock, log, onTaken, onFailed });
  const daily = async () => (await listBackups(store.backupFolder)).filter(({ reason }) => reason === 'daily');
  return { ...time, store, timer, daily };
}

it('backs up soon after the start and then once a day', async () => {
  const { advance, daily, timer } = await start();
  await advance(10 * 60_000);
  expect(await daily()).toHaveLength(1);
  await advance(22 * HOUR);
  expect(await daily()).toHaveLength(1);
  await advance(3 * HOUR);
  expect(await daily()).toHaveLength(2);
  expect(onTaken).toHaveBeenCalledTimes(2);
  timer.cancel();
  await advance(72 * HOUR);
  expect(await daily()).toHaveLength(2);
});

it('does not repeat the backup of an earlier run of the panel', async () => {
  const { advance, daily, store } = await start();
  await store.backup('daily');
  await advance(2 * HOUR);
  expect(await daily()).toHaveLength(1);
});

it('is not delayed by a backup from a clock that ran ahead', async () => {
  const { advance, daily, store, jumpClock } = await start();
  jumpClock(400 * 24 * HOUR);
  await store.backup('daily');
  jumpClock(-400 * 24 * HOUR);
  await advance(HOUR);
  expect(await daily()).toHaveLength(2);
});

it('tries again within the hour after a failure', async () => {
  const time = manualSchedule();
  const opened = await openTestStore(time.clock);
  dispose = () => opened.dispose();
  let attempts = 0;
  startDailyBackup({
    store: {
      backupFolder: opened.store.backupFolder,
      backup(reason) {
        attempts += 1;
        return attempts === 1 ? Promise.reject(new Error('disk full')) : opened.store.backup(reason);
      },
    },
    schedule: time.schedule,
    clock: time.clock,
    log: time.log,
    onTaken,
    onFailed,
  });
  await time.advance(HOUR);
  expect(attempts).toBe(2);
  expect(onFailed.mock.calls).toEqual([[new Error('disk full')]]);
  expect(onTaken).toHaveBeenCalledTimes(1);
  expect(time.log.lines.map(({ event }) => event)).toEqual(['schedule.runFailed', 'backup.daily']);
});
