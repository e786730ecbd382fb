import { Client } from 'pg';
import { DomainError } from '../../contract/domain-error.ts';
import { connectionOptions } from './postgres-connection.ts';

/** Debian 12 has it; older ones lack what the panel's statements use. */
const OLDEST_VERSION = 150_000;
/** Everything of the panel lies in a schema of its own. */
export const SCHEMA = 'switchyard';
/** Key of the lock that the serving panel holds for as long as its connection lives. */
const LOCK_KEY = 7_276_301;

/** Why a server refuses a connection, by its code. */
const REFUSALS: Readonly<Record<string, string>> = {
  '28P01': 'store.signInRefused',
  '28000': 'store.signInRefused',
  '3D000': 'store.noSuchDatabase',
  '42501': 'store.rightsMissing',
};

/**
 * A connection to the panel's database, with nothing looked at yet.
 * @throws {DomainError} `store.badAddress`, `store.signInRefused`, `store.noSuchDatabase`, `store.rightsMissing`, `store.unreachable`
 */
export async function connect(url: string): Promise<Client> {
  const client = openClient(url);
  try {
    await client.connect();
    return client;
  } catch (error) {
    await client.end().catch(() => undefined);
    throw refusalOf(error);
  }
}

function openClient(url: string): Client {
  try {
    return new Client({ ...connectionOptions(url, SCHEMA), connectionTimeoutMillis: 10_000 });
  } catch (cause) {
    throw new DomainError('store.badAddress', {}, { cause });
  }
}

/** What a failure of the connection or of a right is called. */
export function refusalOf(error: unknown): unknown {
  if (error instanceof DomainError || !(error instanceof Error)) return error;
  const code = 'code' in error ? String(error.code) : '';
  // Its text names user and database, and never the password.
  return new DomainError(REFUSALS[code] ?? 'store.unreachable', { reason: error.message || code }, { cause: error });
}

/** What stands in the database: nothing of the panel, or its schema. */
export type Found = 'nothing' | 'ours';

/**
 * Looks at server and schema without writing anything.
 * @throws {DomainError} `store.serverTooOld`, `store.wrongEncoding`, `store.foreignSchema`, `store.rightsMissing`
 */
export async function lookAround(client: Client): Promise<Found> {
  const { rows } = await client.query(
    `SELECT current_setting('server_version_num')::int AS version, current_setting('server_version') AS name,
       current_setting('server_encoding') AS encoding, to_regnamespace('${SCHEMA}') IS NOT NULL AS "hasSchema",
       to_regclass('${SCHEMA}."schemaVersion"') IS NOT NULL AS "isOurs",
       has_database_privilege(current_database(), 'CREATE') AS "mayCreate", current_user AS "user",
       coalesce((SELECT nspowner = current_user::regrole FROM pg_namespace WHERE nspname = '${SCHEMA}'), false) AS "isOwner"`,
  );
  const found = rows[0] as {
    version: number;
    name: string;
    encoding: string;
    hasSchema: number;
    isOurs: number;
    mayCreate: number;
    user: string;
    isOwner: number;
  };
  if (found.version < OLDEST_VERSION)
    throw new DomainError('store.serverTooOld', { found: found.name, oldest: OLDEST_VERSION / 10_000 });
  if (found.encoding !== 'UTF8') throw new DomainError('store.wrongEncoding', { found: found.encoding });
  if (found.hasSchema === 1 && found.isOurs === 0) throw new DomainError('store.foreignSchema', { schema: SCHEMA });
  const mayChange = found.hasSchema === 1 ? found.isOwner : found.mayCreate;
  if (mayChange !== 1)
    throw new DomainError('store.rightsMissing', {
      reason: `${found.user} may not create or change the schema ${SCHEMA}`,
    });
  return found.isOurs === 1 ? 'ours' : 'nothing';
}

/**
 * Makes this panel the one that writes, until its connection ends.
 * @throws {DomainError} `store.databaseInUse`
 */
export async function lockDatabase(client: Client): Promise<void> {
  const { rows } = await client.query(`SELECT pg_try_advisory_lock(${LOCK_KEY}) AS "isHeld"`);
  if ((rows as { isHeld: number }[])[0]?.isHeld !== 1) throw new DomainError('store.databaseInUse');
}
