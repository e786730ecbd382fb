import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { startCluster, type Cluster, type Replica } from '../../src-server/testing/postgres/cluster.ts';
import { waitFor } from './wait-for.ts';

const NAME = 'standby';

/** Two PostgreSQL servers: a primary, and a synchronous replica that has every commit before it is acknowledged. */
export interface StandingPair {
  /** A connection string for both hosts; which of them is the primary changes. */
  url: string;
  /** The present primary. */
  primary(): Cluster;
  /** The primary ends as by a power cut, and the replica is promoted. */
  failOver(): Promise<void>;
  /** A new replica replaces the lost server. */
  complete(): Promise<void>;
  stop(): Promise<void>;
}

/** A replica reconnects to its primary at once. */
const QUICK = 'wal_retrieve_retry_interval=100ms';

/** @param given settings of both servers, `name=value`; by default nothing survives a power cut */
export async function startPair(
  given: readonly string[] = ['fsync=off', 'full_page_writes=off'],
): Promise<StandingPair> {
  const settings = [...given, QUICK];
  const places = await mkdtemp(join(tmpdir(), 'switchyard-pair-'));
  const placeOf = (at: number): string => join(places, String(at % 2));
  let turn = 0;
  let primary: Cluster = await startCluster(settings);
  let replica: Replica | null = null;
  await symlink(primary.folder, placeOf(turn));

  async function query(statement: string): Promise<Record<string, unknown>[]> {
    const client = new Client(primary.url('postgres'));
    await client.connect();
    try {
      return (await client.query(statement)).rows as Record<string, unknown>[];
    } finally {
      await client.end();
    }
  }

  async function complete(): Promise<void> {
    replica = await primary.startReplica({ name: NAME, settings });
    await rm(placeOf(turn + 1), { force: true });
    await symlink(replica.folder, placeOf(turn + 1));
    // After the copy was taken: once the replica is the primary it waits for no other.
    await query(`ALTER SYSTEM SET synchronous_standby_names = '${NAME}'`);
    await query('SELECT pg_reload_conf()');
    await waitFor('a synchronous replica', async () =>
      (await query('SELECT sync_state FROM pg_stat_replication')).some(({ sync_state }) => sync_state === 'sync'),
    );
  }
  await complete();

  return {
    url: `postgres://panel@/postgres?host=${[0, 1].map((at) => encodeURIComponent(placeOf(at))).join(',')}&target_session_attrs=read-write`,
    primary: () => primary,
    async failOver() {
      const next = replica!;
      await primary.crash();
      await next.promote();
      await primary.stop();
      [primary, replica] = [next, null];
      turn += 1;
    },
    complete,
    async stop() {
      await replica?.stop();
      await primary.stop();
      await rm(places, { recursive: true });
    },
  };
}
