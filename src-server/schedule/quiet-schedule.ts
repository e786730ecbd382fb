import type { Timer } from '../contract/schedule.ts';
import type { Scheduler } from './scheduler.ts';

const NEVER: Timer = { cancel() {} };

/** A schedule on which nothing ever falls due: for a standby panel. */
export const quietSchedule: Scheduler = {
  every: () => NEVER,
  after: () => NEVER,
  cron: () => NEVER,
  idle: () => Promise.resolve(),
  close: () => Promise.resolve(),
};
