/** Shortest interval for a speed: counters move only with the readings. */
const MIN_MS = 4_000;
/** Longest interval for a speed. */
const MAX_MS = 60_000;

export interface Speed {
  up: number;
  down: number;
}
interface Counters {
  email: string;
  upBytes: number;
  downBytes: number;
}
interface Look {
  atMs: number;
  counters: Map<string, { upBytes: number; downBytes: number }>;
}

/** Speeds of clients from two looks at their counters. Taken only while a page shows them, for online clients only. */
export function createSpeeds(monotonic: () => number) {
  let looks: Look[] = [];
  let speeds = new Map<string, Speed>();
  return {
    /** Whether the last look is old enough for another. */
    isDue: (): boolean => looks.length === 0 || monotonic() - looks.at(-1)!.atMs >= MIN_MS,
    take(counters: readonly Counters[]): void {
      const atMs = monotonic();
      const before = looks.findLast((look) => atMs - look.atMs >= MIN_MS && atMs - look.atMs <= MAX_MS);
      speeds = new Map();
      for (const { email, upBytes, downBytes } of counters) {
        const then = before?.counters.get(email);
        if (before === undefined || then === undefined) continue;
        const seconds = (atMs - before.atMs) / 1000;
        // After a reset the counters are smaller.
        speeds.set(email, {
          up: Math.max(0, upBytes - then.upBytes) / seconds,
          down: Math.max(0, downBytes - then.downBytes) / seconds,
        });
      }
      const look = { atMs, counters: new Map(counters.map(({ email, ...one }) => [email, one])) };
      looks = [...looks.slice(-1), look];
    },
    of: (email: string): Speed | null => speeds.get(email) ?? null,
    /** Drops everything once nobody has looked for a while. */
    expire(): void {
      if (looks.length === 0 || monotonic() - looks.at(-1)!.atMs <= MAX_MS) return;
      looks = [];
      speeds = new Map();
    },
  };
}
