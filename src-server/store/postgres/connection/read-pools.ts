import { Client, Pool, type ClientBase, type ClientConfig, type PoolClient } from 'pg';
import type { StatementResult } from '../../sqlite/sqlite-connection.ts';
import { connectionOptions, isAwayError, runStatement } from '../dialect/postgres-connection.ts';
import { SCHEMA } from '../schema/version-place.ts';
import { cut } from './connect.ts';
import type { ReadingPlace } from './find-pooler.ts';
import { PooledReader } from './pooled.ts';

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

/**
 * The connections for reads.
 * @param name of the process, as the server shows it
 * @param onConnect called with each new connection
 */
export function openReadPools(place: ReadingPlace, name: string, onConnect: (one: PoolClient) => void) {
  const settings = connectionOptions(place.url, SCHEMA, name);
  const live = new Set<PoolClient>();
  let isCut = false;

  function readers(max: number): Pool {
    const pool = new Pool({
      ...settings,
      max,
      ...(place.isPooled
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
      onConnect(one);
    });
    pool.on('remove', (one) => live.delete(one));
    return pool;
  }
  const pools = { short: readers(READERS), long: readers(HEAVY_READERS) };

  return {
    async read(use: keyof typeof pools, text: string, parameters: readonly unknown[]): Promise<StatementResult> {
      try {
        return await runStatement(pools[use], text, parameters);
      } catch (error) {
        // The loss of a single idle connection shows when it is used. A read can be repeated.
        if (!isAwayError(error) || isCut) throw error;
        return await runStatement(pools[use], text, parameters);
      }
    },
    /** Ends the connections without notifying the server; pending reads are rejected. */
    cut(): void {
      isCut = true;
      for (const one of live) cut(one);
      for (const pool of Object.values(pools)) pool.end().catch(() => undefined);
    },
    async close(): Promise<void> {
      await Promise.all([pools.short.end(), pools.long.end()]);
    },
  };
}
