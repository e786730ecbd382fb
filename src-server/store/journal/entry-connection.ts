/** The connection that writes, in its own thread. */
export interface EntryConnection {
  query(sql: string, parameters: readonly unknown[]): { rows: unknown[] };
}
