import type { BatchColumn } from '../sqlite/sqlite-protocol.ts';

type QueryResult = { rows: unknown[] };

/** The connection that writes; SQLite's, in its own thread, returns at once. */
export interface EntryConnection {
  query(sql: string, parameters: readonly unknown[]): QueryResult | Promise<QueryResult>;
  batch(sql: string, columns: readonly BatchColumn[], rowCount: number): unknown;
}
