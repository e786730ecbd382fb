import type { Client, PoolClient } from 'pg';
import { DATABASE_AWAY } from '../../../contract/database-away.ts';
import type { StatementResult } from '../../sqlite/sqlite-connection.ts';
import { StoreError } from '../../sqlite/sqlite-thread.ts';
import { connect, cut, findServer, streamOf } from './connect.ts';
import { findPooler, type ReadingPlace } from './find-pooler.ts';
import { PooledClient } from './pooled.ts';
import { createWriter, type Writer } from '../dialect/postgres-writer.ts';
import { startHeartbeat } from './heartbeat.ts';
import { openReadPools } from './read-pools.ts';

export const away = (reason: string): StoreError =>
  new StoreError(`the database server is away: ${reason}`, DATABASE_AWAY);

/**
 * The connections to a server from its first response until an essential one is lost; a server that is back gets new
 * ones.
 */
export interface Session {
  /** Writes, listens, holds the lock. */
  readonly client: Client;
  readonly writing: Writer;
  /** Why the session ended; null = it is still running. */
  endedBecause(): string | null;
  read(use: 'short' | 'long', text: string, parameters: readonly unknown[]): Promise<StatementResult>;
  /** Checks from now on whether the server still responds. */
  watch(): Promise<void>;
  close(): Promise<void>;
}

/**
 * @param options.pooler where reads go; absent = to the same server as everything else
 * @param options.name of the process, as the server shows it
 * @param options.onEnd the session has ended: everything waiting for a response has been rejected
 * @throws {DomainError} as `connect` does
 */
export async function openSession(
  url: string,
  options: { pooler?: string | undefined; name: string; timeoutMs: number; onEnd: (reason: string) => void },
): Promise<Session> {
  const { pooler, name, timeoutMs, onEnd } = options;
  // All connections of a session lead to the same server.
  const { client, url: found } = await findServer(url, { name, timeoutMs });
  const reads = await readingPlace().catch(async (error: unknown) => {
    await client.end();
    throw error;
  });
  const pools = openReadPools(reads, `${name} reads`, listenTo);
  const waiting = new Set<(error: Error) => void>();
  let watcher: Client | null = null;
  let heartbeat: { stop(): void } | null = null;
  let reason: string | null = null;
  let isClosed = false;
  let heardAtMs = 0;

  async function readingPlace(): Promise<ReadingPlace> {
    if (pooler !== undefined) return await findPooler(client, pooler, { name: `${name} reads`, timeoutMs });
    return { url: found, isPooled: client instanceof PooledClient };
  }

  /** Bytes from the server on any connection show that it is there. */
  function listenTo(one: Client | PoolClient): void {
    streamOf(one)?.on('data', () => (heardAtMs = performance.now()));
  }

  function end(because: string): void {
    if (reason !== null || isClosed) return;
    reason = because;
    heartbeat?.stop();
    for (const reject of waiting) reject(away(because));
    waiting.clear();
    // A machine that is gone does not answer a goodbye.
    for (const one of [client, watcher]) cut(one);
    pools.cut();
    onEnd(because);
  }

  function follow(one: Client): void {
    let lastError = 'the server ended the connection';
    one.on('error', (error) => (lastError = error.message));
    one.on('end', () => end(lastError));
  }
  follow(client);
  listenTo(client);

  /** Rejects as soon as the session has ended, whatever `work` waits for. */
  function whileUp<T>(work: () => Promise<T>): Promise<T> {
    if (reason !== null) return Promise.reject(away(reason));
    return new Promise<T>((resolve, reject) => {
      waiting.add(reject);
      work()
        .then(resolve, reject)
        .finally(() => waiting.delete(reject));
    });
  }

  return {
    client,
    writing: createWriter(client),
    endedBecause: () => reason,
    read: (use, text, parameters) => whileUp(() => pools.read(use, text, parameters)),
    async watch() {
      watcher = await connect(found, { name: `${name} heartbeat`, timeoutMs });
      follow(watcher);
      heartbeat = startHeartbeat(
        watcher,
        () => heardAtMs,
        () => end('it does not answer'),
      );
    },
    async close() {
      isClosed = true;
      heartbeat?.stop();
      if (reason !== null) return;
      await Promise.all([pools.close(), watcher?.end(), client.end()]);
    },
  };
}
