import { Worker } from 'node:worker_threads';
import type { Act } from '../../contract/act.ts';
import type { StatementResult } from './sqlite-connection.ts';
import {
  BEGIN,
  type BatchColumn,
  type ScriptStep,
  type SqliteMode,
  type SqliteOpening,
  type SqliteReply,
  type SqliteRequest,
} from './sqlite-protocol.ts';

/** A statement that SQLite refused. `code` is its result code, for example `SQLITE_CONSTRAINT_UNIQUE` or `SQLITE_FULL`. */
export class StoreError extends Error {
  readonly code: string;
  constructor(message: string, code: string) {
    super(message);
    this.name = 'StoreError';
    this.code = code;
  }
}

type WithoutId<T> = T extends { id: number } ? Omit<T, 'id'> : never;
const NOTHING: StatementResult = { rows: [], changes: 0, lastInsertId: 0 };

/** Idle threads, for the next connections. */
const idle: Worker[] = [];
let maxIdle = 0;

/** How many threads are kept when their connections close. For tests: starting one takes longer than most tests. */
export const keepThreads = (count: number): void => void (maxIdle = count);

/** Main-thread end of a SQLite worker: requests in, promises out, in order. */
export function startSqliteThread(file: string, mode: SqliteMode) {
  const worker = idle.pop() ?? new Worker(new URL('./sqlite-worker.ts', import.meta.url));
  worker.postMessage({ op: 'open', file, mode } satisfies SqliteOpening);
  const waiting = new Map<number, { resolve: (result: StatementResult) => void; reject: (error: Error) => void }>();
  let nextId = 1;
  let ended: Error | null = null;
  /**
   * A transaction that has begun but has no statement yet: it begins in the thread with its first statement, in one
   * message.
   */
  let isBeginDue = false;

  function endWith(error: Error): void {
    ended ??= error;
    for (const { reject } of waiting.values()) reject(ended);
    waiting.clear();
    worker.unref();
  }
  worker.on('message', (reply: SqliteReply) => {
    const request = waiting.get(reply.id);
    if (request === undefined) return;
    waiting.delete(reply.id);
    if (waiting.size === 0) worker.unref();
    if (reply.ok) request.resolve(reply);
    else request.reject(new StoreError(reply.message, reply.code));
  });
  worker.on('error', (error: Error & { code?: string }) =>
    endWith(new StoreError(error.message, error.code ?? 'SQLITE_THREAD')),
  );
  worker.on('exit', () => endWith(closed()));
  worker.unref();

  function send(request: WithoutId<SqliteRequest>): Promise<StatementResult> {
    if (ended !== null) return Promise.reject(ended);
    const id = nextId++;
    return new Promise((resolve, reject) => {
      // Only outstanding requests keep the process alive, so a forgotten store never hangs a command.
      if (waiting.size === 0) worker.ref();
      waiting.set(id, { resolve, reject });
      worker.postMessage({ id, ...request });
    });
  }

  /** Sends the pending start of a transaction, if there is one. */
  function run(request: WithoutId<SqliteRequest>): Promise<StatementResult> {
    if (!isBeginDue) return send(request);
    isBeginDue = false;
    return send({ ...request, begins: true });
  }

  return {
    async query(sql: string, parameters: readonly unknown[]): Promise<StatementResult> {
      const isEmpty = isBeginDue && (sql === 'COMMIT' || sql === 'ROLLBACK');
      if (sql === BEGIN || isEmpty) {
        if (ended !== null) throw ended;
        isBeginDue = sql === BEGIN;
        return NOTHING;
      }
      return run({ op: 'query', sql, parameters });
    },
    batch: (sql: string, columns: readonly BatchColumn[], rowCount: number) =>
      run({ op: 'batch', sql, columns, rowCount }),
    script: (steps: readonly ScriptStep[]) => run({ op: 'script', steps }),
    capture: async () => void (await send({ op: 'capture' })),
    openEntry: () => run({ op: 'openEntry' }),
    closeEntry: (act: Act, atMs: number) => send({ op: 'closeEntry', act, atMs }),
    backup: async (toFile: string) => void (await send({ op: 'backup', toFile })),
    /**
     * SQLite's own quick check of any database file. @returns null when sound, else the first complaint.
     * @throws {StoreError} when the file cannot be opened
     */
    async check(path: string): Promise<string | null> {
      const { rows } = await send({ op: 'check', file: path });
      return (rows as { complaint: string }[])[0]?.complaint ?? null;
    },
    checkpoint: async () => void (await send({ op: 'checkpoint' })),
    close: async () => {
      if (ended !== null) return;
      const closing = send({ op: 'close' });
      ended = closed();
      await closing;
      for (const event of ['message', 'error', 'exit']) worker.removeAllListeners(event);
      if (idle.length < maxIdle) idle.push(worker);
      else await worker.terminate();
    },
  };
}

const closed = (): StoreError => new StoreError('the database connection is closed', 'SQLITE_CLOSED');

export type SqliteThread = ReturnType<typeof startSqliteThread>;
