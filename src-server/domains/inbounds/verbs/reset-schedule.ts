import type { Schedule, Timer } from '../../../contract/schedule.ts';
import type { TrafficReset } from '../contract.ts';

/** When each period begins: the week on Sunday, the month on its first day, each at midnight. */
const MOMENTS: readonly (readonly [TrafficReset, string])[] = [
  ['hourly', '0 * * * *'],
  ['daily', '0 0 * * *'],
  ['weekly', '0 0 * * 0'],
  ['monthly', '0 0 1 * *'],
];

/** At the very moment, the database may be away or the disk full. */
const RETRY_MS = 60_000;

/**
 * Starts the periodic resets. Runs missed while the panel was off are not caught up.
 * @param timeZone IANA name, empty = the system's. After a change of the setting: close and start again.
 * @param begin returns the resets of a period that begins now; they are repeated until they return true.
 * @throws {RangeError} for an unknown zone.
 */
export function startResetSchedule(options: {
  schedule: Schedule;
  timeZone: string;
  begin: (period: TrafficReset) => () => Promise<boolean>;
}): { close(): void } {
  const { schedule, timeZone, begin } = options;
  const retries = new Map<TrafficReset, Timer>();
  let isClosed = false;

  async function run(period: TrafficReset, resets: () => Promise<boolean>): Promise<void> {
    retries.get(period)?.cancel();
    let isDone = false;
    try {
      isDone = await resets();
    } finally {
      if (!isDone && !isClosed)
        retries.set(
          period,
          schedule.after(RETRY_MS, () => run(period, resets)),
        );
    }
  }

  const timers = MOMENTS.map(([period, moment]) => schedule.cron(moment, timeZone, () => run(period, begin(period))));
  return {
    close() {
      isClosed = true;
      for (const timer of [...timers, ...retries.values()]) timer.cancel();
    },
  };
}
