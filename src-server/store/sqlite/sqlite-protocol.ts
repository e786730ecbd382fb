import type { Act } from '../../contract/act.ts';
export type SqliteMode = 'readWrite' | 'readOnly';

/**
 * Sent by the main thread before the requests of a connection: it gets no reply, and the file opens when a request
 * needs it.
 */
export interface SqliteOpening {
  op: 'open';
  file: string;
  mode: SqliteMode;
}

/** IMMEDIATE takes SQLite's write lock at once: a transaction that read first could otherwise fail when it starts to write. */
export const BEGIN = 'BEGIN IMMEDIATE';

/** A transaction that begins with the request: if it cannot begin, the request is refused. */
interface Beginning {
  begins?: boolean;
}

/** Messages between the main thread and a SQLite worker. One request, one reply, answered in order. */
export type SqliteRequest = Beginning & SqliteOperation;
type SqliteOperation =
  | { id: number; op: 'query'; sql: string; parameters: readonly unknown[] }
  /** Runs one statement once per row; columns[i] is the value of parameter i for each row. */
  | { id: number; op: 'batch'; sql: string; columns: readonly BatchColumn[]; rowCount: number }
  /** Runs statements one after another; `rows` of the reply holds the rows of each. */
  | { id: number; op: 'script'; steps: readonly ScriptStep[] }
  /** Installs the triggers that record changes for the journal; the schema must be the current one. */
  | { id: number; op: 'capture' }
  /** Within a transaction: records what follows. */
  | { id: number; op: 'openEntry' }
  /** Within a transaction, at its end; `lastInsertId` of the reply is the entry, 0 = nothing was changed. */
  | { id: number; op: 'closeEntry'; act: Act; atMs: number }
  | { id: number; op: 'backup'; toFile: string }
  /** Checks any database file; `rows` of the reply holds the complaint, if there is one. */
  | { id: number; op: 'check'; file: string }
  | { id: number; op: 'checkpoint' }
  | { id: number; op: 'close' };

export type SqliteReply =
  | { id: number; ok: true; rows: unknown[]; changes: number; lastInsertId: number }
  | { id: number; ok: false; message: string; code: string };

/** One statement of a script: once with `parameters`, or once per row of `batch`. */
export interface ScriptStep {
  sql: string;
  parameters: readonly unknown[];
  batch: { columns: readonly BatchColumn[]; rowCount: number } | null;
}

/** Values of one parameter over all rows of a batch. A single-element column is the same value for every row. */
export type BatchColumn = Float64Array | readonly (string | number | Uint8Array | null)[];
