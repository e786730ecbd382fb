import { existsSync } from 'node:fs';
import Database from 'better-sqlite3';
import type { Act } from '../../contract/act.ts';
import { closeEntry, openEntry } from '../journal/entry.ts';
import { captureStatements } from '../journal/images.ts';
import type { BatchColumn, ScriptStep } from './sqlite-protocol.ts';

/** Statements kept per connection; the panel has a few hundred distinct ones, dynamic lists stay bounded by this. */
const MAX_CACHED_STATEMENTS = 500;

/** Half the time of a one-row insert is the call itself. */
const ROWS_PER_INSERT = 32;
/** An insert whose parameters are all in one tuple of values; SQLite processes several tuples one after another. */
const INSERT_OF_VALUES = /^(\s*INSERT\s+INTO\s[^?]*?\bVALUES\s*)(\((?:\?|'[^']*'|\d+|,|\s)+\))([^?]*)$/i;

/**
 * A commit that lets the write-ahead log grow past SQLite's own limit copies it into the file before it returns: 30 ms.
 * Rows are counted, since the log does not tell its length: the rows of a node's reading change one page for about ten.
 */
const ROWS_PER_CHECKPOINT = 6_000;
/** A commit writes some pages whatever it changes. */
const ROWS_PER_COMMIT = 10;

export interface StatementResult {
  rows: unknown[];
  changes: number;
  lastInsertId: number;
}

/**
 * better-sqlite3 with every prepared statement kept by its SQL text: preparing costs about five times the query itself.
 * Synchronous; used inside a worker for writes and heavy reads, and directly for short reads.
 */
export function openSqlite(file: string, mode: 'readWrite' | 'readOnly') {
  const db = mode === 'readOnly' ? openToRead(file) : new Database(file);
  db.pragma('busy_timeout = 10000');
  db.pragma('foreign_keys = ON');
  // In KiB. There is one writer but several readers, and the system keeps the file's pages too.
  db.pragma(`cache_size = -${mode === 'readWrite' ? 10_000 : 8_000}`);
  db.pragma('temp_store = MEMORY');
  if (mode === 'readWrite') {
    db.pragma('journal_mode = WAL');
    // FULL: an acknowledged write survives a power cut too, not only a killed process. The writer is not the main thread.
    db.pragma('synchronous = FULL');
    db.pragma('journal_size_limit = 67108864');
    // Done between commits instead, see settle().
    db.pragma('wal_autocheckpoint = 0');
  }
  const statements = new Map<string, Database.Statement>();
  /** Rows changed since the last checkpoint. */
  let unsettledRows = 0;

  function prepared(sql: string): Database.Statement {
    let statement = statements.get(sql);
    if (statement !== undefined) {
      // Re-inserted so that the map's order is by last use.
      statements.delete(sql);
    } else {
      statement = db.prepare(withoutPeeking(sql));
      if (statements.size >= MAX_CACHED_STATEMENTS) {
        const oldest = statements.keys().next().value;
        if (oldest !== undefined) statements.delete(oldest);
      }
    }
    statements.set(sql, statement);
    return statement;
  }

  const connection = {
    query(sql: string, parameters: readonly unknown[]): StatementResult {
      // A full disk makes SQLite roll back by itself; failing at that here would hide the reason from the caller.
      if (sql === 'ROLLBACK' && !db.inTransaction) return { rows: [], changes: 0, lastInsertId: 0 };
      const statement = prepared(sql);
      if (statement.reader) return { rows: statement.all(parameters), changes: 0, lastInsertId: 0 };
      const { changes, lastInsertRowid } = statement.run(parameters);
      unsettledRows += sql === 'COMMIT' ? ROWS_PER_COMMIT : isTemporary(sql) ? 0 : changes;
      return { rows: [], changes, lastInsertId: Number(lastInsertRowid) };
    },
    batch(sql: string, columns: readonly BatchColumn[], rowCount: number): StatementResult {
      const packed = rowCount >= ROWS_PER_INSERT ? packedInsert(sql) : null;
      const packedRows = packed === null ? 0 : rowCount - (rowCount % ROWS_PER_INSERT);
      let changes = 0;
      if (packed !== null) changes += runRows(prepared(packed), columns, 0, packedRows, ROWS_PER_INSERT);
      if (packedRows < rowCount) changes += runRows(prepared(sql), columns, packedRows, rowCount, 1);
      if (!isTemporary(sql)) unsettledRows += changes;
      return { rows: [], changes, lastInsertId: 0 };
    },
    script(steps: readonly ScriptStep[]): StatementResult {
      const rows = steps.map(({ sql, parameters, batch }) =>
        batch === null
          ? connection.query(sql, parameters).rows
          : connection.batch(sql, batch.columns, batch.rowCount).rows,
      );
      return { rows, changes: 0, lastInsertId: 0 };
    },
    /** Records changes for the journal from now on; see store/journal. */
    capture(): void {
      for (const sql of captureStatements()) db.exec(sql);
    },
    openEntry: (): Promise<void> => openEntry(connection),
    closeEntry: (act: Act, atMs: number): Promise<number> => closeEntry(connection, act, atMs),
    /** Consistent copy of the live database, even during writes. */
    async backup(toFile: string): Promise<void> {
      // All pages in one step: a copy in slices starts over whenever another connection writes.
      await db.backup(toFile, { progress: () => 0x7fff_ffff });
    },
    /** To be called after a commit was answered: copies the log into the file when enough has gathered. */
    settle(): void {
      if (unsettledRows < ROWS_PER_CHECKPOINT || db.inTransaction) return;
      unsettledRows = 0;
      db.pragma('wal_checkpoint(PASSIVE)');
    },
    checkpoint(): void {
      db.pragma('wal_checkpoint(TRUNCATE)');
    },
    close(): void {
      statements.clear();
      if (mode === 'readWrite') db.pragma('optimize');
      db.close();
    },
  };
  return connection;
}

/**
 * A connection that changes nothing, and leaves no file behind. SQLite makes the files of its log for every reader, and
 * only one that may write removes them. Where there is a log, a panel is running or was killed: it is left as it is.
 */
export function openToRead(file: string): Database.Database {
  const db = new Database(file, { readonly: existsSync(`${file}-wal`), fileMustExist: true });
  db.pragma('query_only = ON');
  return db;
}

/**
 * SQLite may inspect a parameter's value while planning, and then plans the statement again for every run: four fifths
 * of the time of a small read. The plus sign leaves the value unchanged and prevents that.
 */
function withoutPeeking(sql: string): string {
  return sql.replaceAll(/'[^']*'|"[^"]*"|\?/g, (part) => (part === '?' ? '+?' : part));
}

/** Whether a statement changes a temporary table, which is in memory and never in the log. */
const isTemporary = (sql: string): boolean => /^\s*(?:INSERT INTO|DELETE FROM|UPDATE) temp\./i.test(sql);

/** The same insert with a tuple for each of {@link ROWS_PER_INSERT} rows; null for other statements. */
function packedInsert(sql: string): string | null {
  const [, head, tuple, tail] = INSERT_OF_VALUES.exec(sql) ?? [];
  if (head === undefined || tuple === undefined || tail === undefined) return null;
  return head + Array.from({ length: ROWS_PER_INSERT }, () => tuple).join(', ') + tail;
}

/** @returns number of changed rows */
function runRows(
  statement: Database.Statement,
  columns: readonly BatchColumn[],
  fromRow: number,
  toRow: number,
  rowsPerRun: number,
): number {
  const values: unknown[] = Array.from({ length: columns.length * rowsPerRun });
  let changes = 0;
  for (let row = fromRow; row < toRow; row += rowsPerRun) {
    for (let k = 0, at = 0; k < rowsPerRun; k++) {
      for (const column of columns) values[at++] = column[column.length === 1 ? 0 : row + k];
    }
    changes += statement.run(values).changes;
  }
  return changes;
}
