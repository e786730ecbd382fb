import type { Schedule } from '../../../contract/schedule.ts';

/** Waits for the given time, or until the signal aborts. */
export function pause(schedule: Schedule, delayMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) {
      resolve();
      return;
    }
    const end = (): void => {
      timer.cancel();
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = schedule.after(delayMs, end);
    signal.addEventListener('abort', end, { once: true });
  });
}
