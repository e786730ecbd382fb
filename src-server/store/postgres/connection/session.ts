import type { Socket } from 'node:net';
import { Client, Pool, type ClientBase, type ClientConfig, type PoolClient } from 'pg';
import { DATABASE_AWAY } from '../../../contract/database-away.ts';
import type { StatementResult } from '../../sqlite-connection.ts';
import { StoreError } from '../../sqlite-thread.ts';
import { connect, findServer } from './connect.ts';
import { findPooler, type ReadingPlace } from './find-pooler.ts';
import { PooledClient, PooledReader } from './pooled.ts';
import { connectionOptions, isAwayError, runStatement } from '../dialect/postgres-connection.ts';
import { createWriter, type Writer } from '../dialect/postgres-writer.ts';
import { startPulse } from './pulse.ts';
import { SCHEMA } from '../schema/version-place.ts';

/** Connections for short reads, and for long ones. */
const READERS = 4;
const HEAVY_READERS = 2;

/** While the thread loads the rest of the program, the driver sees a server that does not respond. */
const CONNECT_TIMEOUT_MS = 30_000;

/** The pool's own limit would include the wait for a connection: a read waits there as long as those before it take. */
class Reader extends Client {
  constructor(config: ClientConfig) {
    super({ ...config, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  }
}

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
  const settings = connectionOptions(reads.url, SCHEMA, `${name} reads`);
  const waiting = new Set<(error: Error) => void>();
  const live = new Set<PoolClient>();
  let watcher: Client | null = null;
  let pulse: { stop(): void } | null = null;
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

  function readers(max: number): Pool {
    const pool = new Pool({
      ...settings,
      max,
      ...(reads.isPooled
        ? { Client: PooledReader as unknown as new () => ClientBase, schema: SCHEMA }
        : {
            Client: Reader as unknown as new () => ClientBase,
            options: `${settings.options} -c default_transaction_read_only=on`,
          }),
      idleTimeoutMillis: 60_000,
      allowExitOnIdle: true,
    });
    // A connection that the server ended is replaced with the next read.
    pool.on('error', () => undefined);
    pool.on('connect', (one) => {
      live.add(one);
      listenTo(one);
    });
    pool.on('remove', (one) => live.delete(one));
    return pool;
  }
  const pools = { short: readers(READERS), long: readers(HEAVY_READERS) };

  function end(because: string): void {
    if (reason !== null || isClosed) return;
    reason = because;
    pulse?.stop();
    for (const reject of waiting) reject(away(because));
    waiting.clear();
    // A machine that is gone does not answer a goodbye.
    for (const one of [client, watcher, ...live]) cut(one);
    for (const pool of Object.values(pools)) pool.end().catch(() => undefined);
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

  async function readOn(pool: Pool, text: string, parameters: readonly unknown[]): Promise<StatementResult> {
    try {
      return await runStatement(pool, text, parameters);
    } catch (error) {
      // The loss of a single idle connection shows when it is used. A read can be repeated.
      if (!isAwayError(error) || reason !== null) throw error;
      return await runStatement(pool, text, parameters);
    }
  }

  return {
    client,
    writing: createWriter(client),
    endedBecause: () => reason,
    read: (use, text, parameters) => whileUp(() => readOn(pools[use], text, parameters)),
    async watch() {
      watcher = await connect(found, { name: `${name} pulse`, timeoutMs });
      follow(watcher);
      pulse = startPulse(
        watcher,
        () => heardAtMs,
        () => end('it does not answer'),
      );
    },
    async close() {
      isClosed = true;
      pulse?.stop();
      if (reason !== null) return;
      await Promise.all([pools.short.end(), pools.long.end(), watcher?.end(), client.end()]);
    },
  };
}

/** Ends a connection without notifying the server; pending statements are rejected. */
function cut(client: Client | PoolClient | null): void {
  if (client !== null) streamOf(client)?.destroy();
}

/** The driver does not declare it. */
const streamOf = (client: Client | PoolClient): Socket | undefined =>
  (client as unknown as { connection?: { stream: Socket } }).connection?.stream;
