import Database from 'better-sqlite3';
import type { BatchColumn } from './sqlite-protocol.ts';

/** Statements kept per connection; the panel has a few hundred distinct ones, dynamic lists stay bounded by this. */
const MAX_CACHED_STATEMENTS = 500;

export interface QueryOutcome {
  rows: unknown[];
  changes: number;
  lastInsertId: number;
}

/**
 * better-sqlite3 with every prepared statement kept by its SQL text: preparing costs about five times the query itself.
 * Synchronous; used inside a worker for writes and heavy reads, and directly for short reads.
 */
export function openSqlite(file: string, mode: 'readWrite' | 'readOnly') {
  const db = new Database(file, { readonly: mode === 'readOnly', fileMustExist: mode === 'readOnly' });
  db.pragma('busy_timeout = 10000');
  db.pragma('foreign_keys = ON');
  db.pragma('cache_size = -16000');
  db.pragma('temp_store = MEMORY');
  if (mode === 'readWrite') {
    db.pragma('journal_mode = WAL');
    // FULL: an acknowledged write survives a power cut too, not only a killed process. The writer is not the main thread.
    db.pragma('synchronous = FULL');
    db.pragma('journal_size_limit = 67108864');
  }
  const statements = new Map<string, Database.Statement>();

  function prepared(sql: string): Database.Statement {
    let statement = statements.get(sql);
    if (statement !== undefined) {
      // Re-inserted so that the map's order is by last use.
      statements.delete(sql);
    } else {
      statement = db.prepare(sql);
      if (statements.size >= MAX_CACHED_STATEMENTS) {
        const oldest = statements.keys().next().value;
        if (oldest !== undefined) statements.delete(oldest);
      }
    }
    statements.set(sql, statement);
    return statement;
  }

  return {
    query(sql: string, parameters: readonly unknown[]): QueryOutcome {
      // A full disk makes SQLite roll back by itself; failing at that here would hide the reason from the caller.
      if (sql === 'ROLLBACK' && !db.inTransaction) return { rows: [], changes: 0, lastInsertId: 0 };
      const statement = prepared(sql);
      if (statement.reader) return { rows: statement.all(parameters), changes: 0, lastInsertId: 0 };
      const { changes, lastInsertRowid } = statement.run(parameters);
      return { rows: [], changes, lastInsertId: Number(lastInsertRowid) };
    },
    batch(sql: string, columns: readonly BatchColumn[], rowCount: number): QueryOutcome {
      const statement = prepared(sql);
      const values: unknown[] = Array.from({ length: columns.length });
      let changes = 0;
      for (let row = 0; row < rowCount; row++) {
        for (let i = 0; i < columns.length; i++) {
          const column = columns[i]!;
          values[i] = column[column.length === 1 ? 0 : row];
        }
        changes += statement.run(values).changes;
      }
      return { rows: [], changes, lastInsertId: 0 };
    },
    /** Consistent copy of the live database, whatever is being written meanwhile. */
    async backup(toFile: string): Promise<void> {
      // All pages in one step: a copy in slices starts over whenever another connection writes.
      await db.backup(toFile, { progress: () => 0x7fff_ffff });
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
}
