import type { QueryOutcome } from './sqlite-connection.ts';
import type { SqliteThread } from './sqlite-thread.ts';

/** A thread of its own takes 10 MiB. Idle for this long it ends; the next question waits some 50 ms for a new one. */
const REST_AFTER_MS = 60_000;

/** A database thread for reading that is there only while somebody asks. */
interface RestingThread {
  query(sql: string, parameters: readonly unknown[]): Promise<QueryOutcome>;
  /** Waits for the questions under way. */
  close(): Promise<void>;
}

/** Starts the thread with the first question and ends it when none came for a minute. */
export function openRestingThread(start: () => SqliteThread): RestingThread {
  let thread: SqliteThread | null = null;
  let asked = 0;
  let rest: NodeJS.Timeout | undefined;
  /** Threads on their way out. */
  const ending = new Set<Promise<void>>();

  function end(): void {
    if (thread === null || asked > 0) return;
    // One that died is gone as well.
    const gone = thread
      .close()
      .catch(() => undefined)
      .finally(() => ending.delete(gone));
    ending.add(gone);
    thread = null;
  }

  return {
    async query(sql, parameters) {
      clearTimeout(rest);
      asked += 1;
      try {
        return await (thread ??= start()).query(sql, parameters);
      } finally {
        asked -= 1;
        if (asked === 0) rest = setTimeout(end, REST_AFTER_MS).unref();
      }
    },
    async close() {
      clearTimeout(rest);
      await thread?.close();
      await Promise.all(ending);
    },
  };
}
