import type { Schedule } from '../../../contract/schedule.ts';
import type { TrafficReset } from '../contract.ts';

/** When each period begins: the week on Sunday, the month on its first day, each at midnight. */
const MOMENTS: readonly (readonly [TrafficReset, string])[] = [
  ['hourly', '0 * * * *'],
  ['daily', '0 0 * * *'],
  ['weekly', '0 0 * * 0'],
  ['monthly', '0 0 1 * *'],
];

/**
 * Starts the periodic resets. Runs missed while the panel was off are not caught up.
 * @param timeZone IANA name, empty = the system's. After a change of the setting: close and start again.
 * @throws {RangeError} for an unknown zone.
 */
export function startResetSchedule(options: {
  schedule: Schedule;
  timeZone: string;
  run: (period: TrafficReset) => Promise<void>;
}): { close(): void } {
  const { schedule, timeZone, run } = options;
  const timers = MOMENTS.map(([period, moment]) => schedule.cron(moment, timeZone, () => run(period)));
  return {
    close() {
      for (const timer of timers) timer.cancel();
    },
  };
}
