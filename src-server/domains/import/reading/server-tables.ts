import { isIP } from 'node:net';
import type { ConnectionOptions } from 'node:tls';
import { Client, type ClientConfig } from 'pg';
import { DomainError } from '../../../contract/domain-error.ts';
import { blockedText } from '../../../net/blocked-text.ts';
import { checkedAddresses, systemLookup } from '../../../net/checked-address.ts';
import { DialError } from '../../../net/dial-error.ts';
import { refusalOf } from '../../../store/postgres/connection/connect.ts';
import { OWN_DEFAULTS, startupOptions } from '../../../store/postgres/dialect/postgres-connection.ts';
import { OTHER_TABLES } from '../other-panel/other-rows.ts';
import { quoted } from '../scratch.ts';
import { createLooseTables, type PostgresColumn } from './loose-tables.ts';

/** Rows fetched at once. */
const PAGE = 1_000;
const CONNECT_TIMEOUT_MS = 10_000;

/**
 * Copies the tables an import needs from another panel's PostgreSQL server into a file, from one snapshot. The server
 * is only read.
 * @param file must not exist
 * @param options.allowsPrivate whether the address may point to this machine or its network
 * @throws {DomainError} `import.addressBlocked`, `import.failed`, and the connection errors of
 * `store/postgres/connect.ts`
 */
export async function copyServerTables(
  address: string,
  file: string,
  options: { allowsPrivate: boolean },
): Promise<void> {
  const client = await connectTo(address, options);
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const schema = await schemaOf(client);
    const into = createLooseTables(file);
    try {
      for (const table of OTHER_TABLES) {
        const columns = await columnsOf(client, schema, table);
        if (columns.length === 0) continue;
        into.define(table, columns);
        await copyRows(client, `${quoted(schema)}.${quoted(table)}`, columns, into.inserting(table, columns));
      }
      into.finish();
    } catch (error) {
      into.abandon();
      throw error;
    }
  } catch (error) {
    throw refusalOf(error);
  } finally {
    await client.end();
  }
}

type Rows = (string | null)[][];

/** Every value is text, as the server writes it. */
const all = async (client: Client, text: string, values: readonly string[] = []): Promise<Rows> =>
  (await client.query<(string | null)[]>({ text, values: [...values], rowMode: 'array' })).rows;

async function schemaOf(client: Client): Promise<string> {
  const [row] = await all(
    client,
    `SELECT n.nspname FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace WHERE c.oid = to_regclass('inbounds')`,
  );
  const schema = row?.[0];
  if (typeof schema === 'string') return schema;
  throw new DomainError('import.failed', { reason: 'not a panel database: required table "inbounds" is missing' });
}

async function columnsOf(client: Client, schema: string, table: string): Promise<PostgresColumn[]> {
  const rows = await all(
    client,
    `SELECT column_name, data_type FROM information_schema.columns WHERE table_schema = $1 AND table_name = $2
     ORDER BY ordinal_position`,
    [schema, table],
  );
  return rows.map(([name, type]) => ({ name: name!, type: type! }));
}

async function copyRows(
  client: Client,
  table: string,
  columns: readonly PostgresColumn[],
  insert: (row: readonly (string | null)[]) => void,
): Promise<void> {
  const names = columns.map(({ name }) => quoted(name)).join(', ');
  await client.query(`DECLARE copied NO SCROLL CURSOR FOR SELECT ${names} FROM ${table}`);
  for (let rows: Rows; (rows = await all(client, `FETCH ${PAGE} FROM copied`)).length > 0;) rows.forEach(insert);
  await client.query('CLOSE copied');
}

/** Connects to the checked address only. */
async function connectTo(address: string, { allowsPrivate }: { allowsPrivate: boolean }): Promise<Client> {
  const named = clientFor({ connectionString: address });
  const hosts = await checked(named.host, allowsPrivate);
  let refusal: unknown;
  for (const host of hosts) {
    const client = clientFor({
      host,
      port: named.port,
      user: named.user,
      password: named.password,
      database: named.database,
      ssl: tlsOf(named),
    });
    try {
      await client.connect();
      return client;
    } catch (error) {
      await client.end().catch(() => undefined);
      refusal ??= refusalOf(error);
    }
  }
  throw refusal;
}

/** TLS as the address requests it; the certificate is checked for the name even when its IP is dialled. */
function tlsOf(named: Client): false | ConnectionOptions {
  const { ssl } = named as Client & { ssl: boolean | ConnectionOptions };
  if (ssl === false) return false;
  // The driver hides the private key from property enumeration.
  const tls: ConnectionOptions = ssl === true ? {} : Object.defineProperties({}, Object.getOwnPropertyDescriptors(ssl));
  return isIP(named.host) === 0 ? Object.assign(tls, { servername: named.host }) : tls;
}

/** @returns the addresses of a host; a socket folder counts as this machine */
async function checked(host: string, allowsPrivate: boolean): Promise<string[]> {
  try {
    if (!host.startsWith('/')) {
      const found = await checkedAddresses(host, { lookup: systemLookup, allowPrivate: allowsPrivate });
      return found.map((one) => one.address);
    }
    if (allowsPrivate) return [host];
    throw new DialError('private', host, { refused: { host: 'localhost', address: host } });
  } catch (cause) {
    if (!(cause instanceof DialError)) throw cause;
    if (cause.refused === null) throw new DomainError('store.unreachable', { reason: cause.message }, { cause });
    throw new DomainError('import.addressBlocked', { reason: blockedText(cause.refused) }, { cause });
  }
}

function clientFor(config: ClientConfig): Client {
  try {
    const client = new Client({
      ...config,
      application_name: 'switchyard import',
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      types: { getTypeParser: () => (value: string) => value } as unknown as NonNullable<ClientConfig['types']>,
      options: startupOptions(OWN_DEFAULTS),
    });
    client.on('error', () => undefined);
    return client;
  } catch (cause) {
    throw new DomainError('store.badAddress', {}, { cause });
  }
}
