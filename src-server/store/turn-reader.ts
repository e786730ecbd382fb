import { openSqlite } from './sqlite/sqlite-connection.ts';

/** Short reads that many requests make at once. */
export interface TurnReader {
  /** SQLite returns at once. */
  all<Row>(sql: string, parameters: readonly (string | number)[]): Row[] | Promise<Row[]>;
  /** Number that changes whenever another connection has committed. */
  version(): number;
  close(): void;
}

/**
 * A connection whose reads within one turn of the event loop share a snapshot: taking one costs several times as much
 * as a small read. Commits made before a turn are seen in it; reads that must see a write of their own turn use the
 * store's ordinary reader.
 */
export function openTurnReader(file: string): TurnReader {
  const connection = openSqlite(file, 'readOnly');
  let isClosed = false;
  let isOpen = false;
  let version = 0;

  function open(): void {
    if (isOpen) return;
    connection.query('BEGIN', []);
    isOpen = true;
    setImmediate(end);
    const [row] = connection.query('PRAGMA data_version', []).rows as { data_version: number }[];
    version = row?.data_version ?? 0;
  }

  function end(): void {
    if (!isOpen || isClosed) return;
    isOpen = false;
    connection.query('COMMIT', []);
  }

  return {
    all<Row>(sql: string, parameters: readonly (string | number)[]) {
      open();
      return connection.query(sql, parameters).rows as Row[];
    },
    version() {
      open();
      return version;
    },
    close() {
      end();
      isClosed = true;
      connection.close();
    },
  };
}
