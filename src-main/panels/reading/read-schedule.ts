import type { ReadMode } from '../messages.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
/** Delay of the retry after a failure; only the second failure in a row counts as down. */
const AGAIN_MS = 3 * SECOND;

/** How often each part is read while the page is open, and while only notifications need it. */
const PARTS = {
  status: { shownMs: 5 * SECOND, watchingMs: MINUTE },
  clients: { shownMs: 30 * SECOND, watchingMs: 5 * MINUTE },
  line: { shownMs: 60 * MINUTE, watchingMs: null },
  certificates: { shownMs: 15 * MINUTE, watchingMs: 60 * MINUTE },
  lists: { shownMs: 2 * MINUTE, watchingMs: 10 * MINUTE },
  everyClient: { shownMs: 10 * MINUTE, watchingMs: null },
} as const;
export type Part = keyof typeof PARTS;
export const EVERY_PART = Object.keys(PARTS) as readonly Part[];

/** When each part of a panel is due. */
export function createReadSchedule() {
  const readAtMs = new Map<Part, number>();

  function dueAtMs(part: Part, mode: Exclude<ReadMode, 'off'>, failures: number): number {
    const last = readAtMs.get(part);
    const everyMs = PARTS[part][mode === 'shown' ? 'shownMs' : 'watchingMs'];
    if (everyMs === null) return Number.POSITIVE_INFINITY;
    if (last === undefined) return 0;
    return (
      last + (part === 'status' && failures > 0 ? Math.min(everyMs, AGAIN_MS * 2 ** Math.min(failures, 4)) : everyMs)
    );
  }

  return {
    /**
     * Which of these parts has been due longest, and since when; infinity = not in this mode
     * @param failures to read the status, in a row
     */
    next(parts: readonly Part[], mode: Exclude<ReadMode, 'off'>, failures: number): { part: Part; atMs: number } {
      const due = parts.map((part) => ({ part, atMs: dueAtMs(part, mode, failures) }));
      return due.toSorted((one, other) => one.atMs - other.atMs)[0]!;
    },
    wasRead: (part: Part, atMs: number): void => void readAtMs.set(part, atMs),
    /** Marks one part, or all of them, as due. */
    forget(part?: Part): void {
      if (part === undefined) readAtMs.clear();
      else readAtMs.delete(part);
    },
  };
}
