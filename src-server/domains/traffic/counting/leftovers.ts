import type { Schedule } from '../../../contract/schedule.ts';

/** How long bytes on their way are still counted after connections were ended. */
const SETTLE_MS = 300;
/** How long a disabled client is watched closely. */
const WATCH_MS = 10_000;
const MAX_WATCHED = 1_000;
/** How often a client's connections are ended one by one before a stronger step is needed. */
const MAX_CUTS = 2;

export interface LeftoverDeps {
  settle: () => Promise<void>;
  schedule: Pick<Schedule, 'after'>;
  monotonic: () => number;
}

/** Distinguishes connections that outlived the removal of their client from bytes that were not counted yet. */
export function createLeftovers({ settle, schedule, monotonic }: LeftoverDeps) {
  const cuts = new Map<string, { count: number; atMs: number }>();
  let found = new Set<string>();
  let settling = 0;

  function forgetOld(): void {
    for (const [email, { atMs }] of cuts) {
      if (cuts.size <= MAX_WATCHED && monotonic() - atMs < 6 * WATCH_MS) break;
      cuts.delete(email);
    }
  }

  return {
    /** Runs `end`, which ends connections of these clients; bytes counted shortly after are no leftover. */
    async expecting(emails: readonly string[], end: () => Promise<void>): Promise<void> {
      settling += 1;
      for (const email of emails) {
        const count = (cuts.get(email)?.count ?? 0) + 1;
        cuts.delete(email);
        cuts.set(email, { count, atMs: monotonic() });
      }
      forgetOld();
      try {
        await end();
      } finally {
        schedule.after(SETTLE_MS, async () => {
          try {
            await settle();
          } finally {
            settling -= 1;
          }
        });
      }
    },
    note(emails: readonly string[]): void {
      if (settling === 0) for (const email of emails) found.add(email);
    },
    /** Clients that moved bytes since, and whether ending their connections one by one is worth another try. */
    take(): { emails: string[]; mayCut: boolean } {
      const emails = [...found];
      found = new Set();
      return { emails, mayCut: emails.every((email) => (cuts.get(email)?.count ?? 0) < MAX_CUTS) };
    },
    watched(): ReadonlySet<string> {
      const nowMs = monotonic();
      return new Set([...cuts].filter(([, { atMs }]) => nowMs - atMs < WATCH_MS).map(([email]) => email));
    },
  };
}
