import type { Logger } from '../contract/logger.ts';
import type { Schedule, Timer } from '../contract/schedule.ts';
import { listBackups } from '../store/backups.ts';
import type { Store } from '../store/open-store.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
/** The panel's start comes first, the copy of the database later. */
const FIRST_LOOK_MS = 5 * 60_000;

/**
 * Keeps an automatic backup that is at most a day old. It checks the newest one every hour instead of waiting for a
 * fixed time of day, so that a machine that is off or asleep at night is backed up too, and a failure is retried.
 */
export function startDailyBackup(options: {
  store: Pick<Store, 'backup' | 'backupFolder'>;
  schedule: Schedule;
  clock: () => number;
  log: Logger;
  onTaken: () => void;
  /** Called on each failure; the next check tries again. */
  onFailed: (error: unknown) => void;
}): Timer {
  const { store, schedule, clock, log, onTaken, onFailed } = options;
  const look = async (): Promise<void> => {
    const nowMs = clock();
    // A backup dated in the future was written before the clock was corrected and proves nothing.
    const isFresh = (await listBackups(store.backupFolder)).some(
      ({ reason, takenAtMs }) => reason === 'daily' && takenAtMs <= nowMs && nowMs - takenAtMs < DAY_MS,
    );
    if (isFresh) return;
    try {
      const path = await store.backup('daily');
      log.info('backup.daily', { path });
      onTaken();
    } catch (error) {
      onFailed(error);
      throw error;
    }
  };
  const first = schedule.after(FIRST_LOOK_MS, look);
  const hourly = schedule.every(HOUR_MS, look);
  return {
    cancel() {
      first.cancel();
      hourly.cancel();
    },
  };
}
