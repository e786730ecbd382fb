import type { Socket } from 'node:net';
import type { Client, PoolClient } from 'pg';

/** Ends a connection without notifying the server; pending statements are rejected. */
export function cut(client: Client | PoolClient | null): void {
  if (client !== null) streamOf(client)?.destroy();
}

/** The socket of a connection; the driver does not declare it. */
export const streamOf = (client: Client | PoolClient): Socket | undefined =>
  (client as unknown as { connection?: { stream: Socket } }).connection?.stream;
