import type { Client } from 'pg';
import { LATEST_VERSION } from '../migrate.ts';
import type { Link } from './connection/link.ts';
import { PooledClient } from './connection/pooled.ts';
import type { SeenVersion } from './postgres-store.ts';
import { CHANGES, COMMITS } from './shared-names.ts';
import { SCHEMA } from './schema/version-place.ts';

/** Interval between polls of a server that sends no notifications, in ms. */
const LOOK_MS = 500;
/** Requests within this time share one poll. */
const SHARED_MS = 20;

/**
 * Tells that something was committed, and whether the schema is still ours. A replica reports how far it has replayed,
 * which it counts after the commit is visible; after a promotion it continues as a primary, where equal snapshots see
 * equal rows.
 */
const LOOK = `SELECT CASE WHEN pg_is_in_recovery() THEN CAST(pg_last_wal_replay_lsn() AS text)
    ELSE CAST(pg_current_snapshot() AS text) END AS seen, (SELECT version FROM ${SCHEMA}."schemaVersion") AS schema`;

export interface CommitFollower {
  /** Starts over on a newly opened connection. */
  follow(client: Client): Promise<void>;
  /**
   * Resolves when everything committed by now is counted in the version. @throws {StoreError} while the server is away
   */
  look(): Promise<void>;
  stop(): void;
}

/**
 * Follows the commits of other processes: a primary notifies, a replica or a pooler is polled.
 * @param options.onCommit called when something was committed
 * @param options.onChange receives a transaction's message on {@link CHANGES}, once it is committed
 * @param options.onOtherSchema called when the database has another schema from now on
 */
export function followCommits(
  link: Link,
  version: SeenVersion,
  {
    onCommit,
    onChange,
    onOtherSchema,
  }: {
    onCommit?: (() => void) | undefined;
    onChange?: (text: string) => void;
    onOtherSchema: (reason: string) => void;
  },
): CommitFollower {
  let looking: NodeJS.Timeout | undefined;
  let seen = '';
  let isNotified = false;
  let lookedAtMs = Number.NEGATIVE_INFINITY;
  let running: Promise<void> | null = null;

  async function poll(): Promise<void> {
    const startedAtMs = performance.now();
    const { rows } = await link.read('short', LOOK, []);
    const [row] = rows as { seen: string; schema: number }[];
    lookedAtMs = startedAtMs;
    if (row === undefined) return;
    if (row.schema !== LATEST_VERSION)
      onOtherSchema(row.schema > LATEST_VERSION ? 'store.newerVersion' : 'store.otherVersion');
    if (row.seen === seen) return;
    seen = row.seen;
    if (isNotified) return;
    version.seen += 1;
    onCommit?.();
  }
  const pollOnce = (): Promise<void> => (running ??= poll().finally(() => (running = null)));
  // The link reports losses.
  const pollQuietly = (): void => void pollOnce().catch(() => undefined);

  return {
    async follow(client) {
      clearInterval(looking);
      const { rows } = await client.query('SELECT pg_is_in_recovery() AS "isReplica"');
      // A notification that a pooler receives goes nowhere.
      isNotified = (rows as { isReplica: number }[])[0]?.isReplica !== 1 && !(client instanceof PooledClient);
      if (isNotified) {
        client.on('notification', ({ channel, payload = '' }) => {
          if (channel === CHANGES) return onChange?.(payload);
          version.seen += 1;
          onCommit?.();
          pollQuietly();
        });
        await client.query(`LISTEN ${COMMITS}`);
        if (onChange !== undefined) await client.query(`LISTEN ${CHANGES}`);
      } else looking = setInterval(pollQuietly, LOOK_MS).unref();
    },
    async look() {
      if (isNotified) return;
      // A poll under way may have been sent before the commit in question.
      if (running !== null) await running;
      if (performance.now() - lookedAtMs >= SHARED_MS) await pollOnce();
    },
    stop: () => clearInterval(looking),
  };
}
