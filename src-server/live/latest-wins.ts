import type { Schedule } from '../contract/schedule.ts';

/**
 * Lets at most one value per key through in `intervalMs`. The first goes at once; of those that come too early only the
 * last is kept and sent when the interval is over, so the newest value always arrives.
 */
export function createLatestWins<T>(options: {
  schedule: Schedule;
  intervalMs: number;
  emit: (value: T) => void;
}): (key: string, value: T) => void {
  const { schedule, intervalMs, emit } = options;
  /** Keys whose interval is running, with the value waiting for its end. */
  const waiting = new Map<string, { value: T } | null>();

  function pass(key: string, value: T): void {
    waiting.set(key, null);
    schedule.after(intervalMs, () => {
      const next = waiting.get(key) ?? null;
      waiting.delete(key);
      if (next !== null) pass(key, next.value);
    });
    emit(value);
  }

  return (key, value) => {
    if (waiting.has(key)) waiting.set(key, { value });
    else pass(key, value);
  };
}
