import type { Socket } from 'node:net';
import { Client, type ClientConfig, type PoolClient } from 'pg';
import { DomainError } from '../../../contract/domain-error.ts';
import { addressesIn } from './addresses.ts';
import { PRESENCE_KEY } from '../shared-names.ts';
import { PooledClient } from './pooled.ts';
import { connectionOptions } from '../dialect/postgres-connection.ts';
import { SCHEMA } from '../schema/version-place.ts';

/** Debian 12 has it; older versions lack features that the panel's statements use. */
const OLDEST_VERSION = 150_000;
/** Key of the lock that the serving panel holds as long as its connection lives. */
const LOCK_KEY = 7_276_301;

/** Why a server refuses a connection, by its code. */
const REFUSALS: Readonly<Record<string, string>> = {
  '28P01': 'store.signInRefused',
  '28000': 'store.signInRefused',
  '3D000': 'store.noSuchDatabase',
  '42501': 'store.rightsMissing',
};

interface ConnectOptions {
  name?: string;
  /** For each of the servers in the address. */
  timeoutMs?: number;
}

/**
 * A connection to the panel's database, before any check.
 * @throws {DomainError} `store.badAddress`, `store.signInRefused`, `store.noSuchDatabase`, `store.rightsMissing`, `store.unreachable`
 */
export const connect = async (url: string, options?: ConnectOptions): Promise<Client> =>
  (await findServer(url, options)).client;

/**
 * The same, with the address of the one server that it leads to. Of several servers the first of the wanted kind is
 * taken, else the first that responds.
 */
export async function findServer(
  url: string,
  { name = 'switchyard command', timeoutMs = 10_000 }: ConnectOptions = {},
): Promise<{ client: Client; url: string }> {
  const { urls, wantsReplica } = addressesIn(url);
  let other: { client: Client; url: string } | null = null;
  let refusal: unknown;
  for (const one of urls) {
    try {
      const client = await connectTo(one, name, timeoutMs);
      const isWanted = urls.length === 1 || wantsReplica === null || (await isReplica(client)) === wantsReplica;
      if (isWanted) {
        await other?.client.end();
        return { client, url: one };
      }
      if (other === null) other = { client, url: one };
      else await client.end();
    } catch (error) {
      refusal ??= refusalOf(error);
    }
  }
  // A replica alone, while the server that accepted writes is away, may still be promoted.
  const isAwaited = wantsReplica === false && refusal !== undefined;
  if (other !== null && !isAwaited) return other;
  await other?.client.end();
  throw refusal;
}

/** @returns a {@link PooledClient} when a pooler responds in place of the server */
async function connectTo(url: string, name: string, timeoutMs: number): Promise<Client> {
  const config = { ...connectionOptions(url, SCHEMA, name), connectionTimeoutMillis: timeoutMs };
  try {
    const client = await opened(clientFor(config));
    if (await isServer(client)) return client;
    await client.end();
  } catch (error) {
    if (!(error instanceof Error && error.message.startsWith('unsupported startup parameter'))) throw error;
  }
  return await opened(new PooledClient({ ...config, schema: SCHEMA }));
}

/** A pooler numbers connections itself. */
async function isServer(client: Client): Promise<boolean> {
  const { rows } = await client.query('SELECT pg_backend_pid() AS pid');
  return (rows as { pid: number }[])[0]?.pid === (client as Client & { processID?: number }).processID;
}

async function opened(client: Client): Promise<Client> {
  // A connection may be lost while nothing waits for it: the next statement reports it.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return client;
  } catch (error) {
    await client.end().catch(() => undefined);
    throw error;
  }
}

async function isReplica(client: Client): Promise<boolean> {
  const { rows } = await client.query('SELECT pg_is_in_recovery() AS "isReplica"');
  return (rows as { isReplica: number }[])[0]?.isReplica === 1;
}

function clientFor(config: ClientConfig): Client {
  try {
    return new Client(config);
  } catch (cause) {
    throw new DomainError('store.badAddress', {}, { cause });
  }
}

/** Error code for a failed connection or a missing right. */
export function refusalOf(error: unknown): unknown {
  if (error instanceof DomainError || !(error instanceof Error)) return error;
  const code = 'code' in error ? String(error.code) : '';
  // Its text names user and database, but never the password.
  return new DomainError(REFUSALS[code] ?? 'store.unreachable', { reason: error.message || code }, { cause: error });
}

/** What the database contains: nothing of the panel, or its schema. */
export type Found = 'nothing' | 'ours';

/**
 * Checks server and schema without writing anything.
 * @param options.forReading nothing will be written: a replica is enough, and a user without the right to change the
 *   schema
 * @throws {DomainError} `store.serverTooOld`, `store.needsDirect`, `store.isReplica`, `store.wrongEncoding`, `store.foreignSchema`,
 *   `store.rightsMissing`
 */
export async function lookAround(
  client: Client,
  { forReading = false }: { forReading?: boolean } = {},
): Promise<Found> {
  const { rows } = await client.query(
    `SELECT current_setting('server_version_num')::int AS version, current_setting('server_version') AS name,
       current_setting('server_encoding') AS encoding, to_regnamespace('${SCHEMA}') IS NOT NULL AS "hasSchema",
       to_regclass('${SCHEMA}."schemaVersion"') IS NOT NULL AS "isOurs",
       has_database_privilege(current_database(), 'CREATE') AS "mayCreate", current_user AS "user",
       has_database_privilege(current_database(), 'TEMPORARY') AS "mayUseTemporary",
       current_setting('default_transaction_read_only') AS "readOnly",
       pg_is_in_recovery() AS "isReplica",
       coalesce((SELECT nspowner = current_user::regrole FROM pg_namespace WHERE nspname = '${SCHEMA}'), false) AS "isOwner"`,
  );
  const found = rows[0] as ServerFacts;
  if (found.version < OLDEST_VERSION)
    throw new DomainError('store.serverTooOld', { found: found.name, oldest: OLDEST_VERSION / 10_000 });
  if (client instanceof PooledClient && !forReading) throw new DomainError('store.needsDirect');
  if (found.isReplica === 1 && !forReading) throw new DomainError('store.isReplica');
  if (found.encoding !== 'UTF8') throw new DomainError('store.wrongEncoding', { found: found.encoding });
  if (found.hasSchema === 1 && found.isOurs === 0) throw new DomainError('store.foreignSchema', { schema: SCHEMA });
  const reason = forReading ? null : missingRight(found);
  if (reason !== null) throw new DomainError('store.rightsMissing', { reason });
  return found.isOurs === 1 ? 'ours' : 'nothing';
}

/** What a server says about itself, the schema and the user. */
interface ServerFacts {
  version: number;
  name: string;
  encoding: string;
  hasSchema: number;
  isOurs: number;
  mayCreate: number;
  user: string;
  mayUseTemporary: number;
  readOnly: string;
  isReplica: number;
  isOwner: number;
}

/** What the user may not do although the panel needs it; null = nothing. */
function missingRight({ user, hasSchema, isOwner, mayCreate, mayUseTemporary, readOnly }: ServerFacts): string | null {
  if ((hasSchema === 1 ? isOwner : mayCreate) !== 1) return `${user} may not create or change the schema ${SCHEMA}`;
  if (mayUseTemporary !== 1) return `${user} may not create temporary tables in this database`;
  if (readOnly === 'on') return `${user} may only read here by default (default_transaction_read_only)`;
  return null;
}

/** Interval between checks of a held lock, in ms. */
const LOOK_MS = 100;
/** How long a lock without a holder is tried again, in ms. */
const GONE_MS = 1_000;

/** The holder of the lock: a connection, and the name of its process. */
const HOLDER = `SELECT a.pid, a.application_name AS name FROM pg_locks AS l JOIN pg_stat_activity AS a ON a.pid = l.pid
  WHERE l.locktype = 'advisory' AND l.granted AND l.classid = 0 AND l.objid = ${LOCK_KEY} AND l.objsubid = 1
    AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())`;

/**
 * Gives this process the sole right to change the database, until its connection ends.
 * @param options.name of this process: an older connection of it, which the server has not dropped yet, is ended
 * @param options.waitMs how long another holder may take to end, in ms; a process that was killed is noticed within a
 *   second
 * @throws {DomainError} `store.databaseInUse`
 */
export async function lockDatabase(
  client: Client,
  { name = null, waitMs = 0 }: { name?: string | null; waitMs?: number } = {},
): Promise<void> {
  for (let waitedMs = 0; ; waitedMs += LOOK_MS) {
    const { rows } = await client.query(`SELECT pg_try_advisory_lock(${LOCK_KEY}) AS "isHeld"`);
    if ((rows as { isHeld: number }[])[0]?.isHeld === 1) return;
    const [holder] = (await client.query(HOLDER)).rows as { pid: number; name: string }[];
    if (holder !== undefined && holder.name === name)
      await client.query('SELECT pg_terminate_backend($1)', [holder.pid]);
    // One that has ended between the two looks keeps nobody out.
    else if (waitedMs >= (holder === undefined ? Math.max(waitMs, GONE_MS) : waitMs))
      throw new DomainError('store.databaseInUse');
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

/** Whether a process has the lock now. */
export const isLockHeld = async (client: Client): Promise<boolean> => (await client.query(HOLDER)).rows.length > 0;

/** Shows the other panels that this server is connected, until the connection ends. */
export const showPresence = async (client: Client, serverId: string): Promise<void> =>
  void (await client.query(`SELECT pg_advisory_lock_shared(${PRESENCE_KEY}, hashtext($1))`, [serverId]));

/** Allows others to change the database from now on. */
export async function unlockDatabase(client: Client): Promise<void> {
  await client.query(`SELECT pg_advisory_unlock(${LOCK_KEY})`);
}

/** Ends a connection without notifying the server; pending statements are rejected. */
export function cut(client: Client | PoolClient | null): void {
  if (client !== null) streamOf(client)?.destroy();
}

/** The socket of a connection; the driver does not declare it. */
export const streamOf = (client: Client | PoolClient): Socket | undefined =>
  (client as unknown as { connection?: { stream: Socket } }).connection?.stream;
