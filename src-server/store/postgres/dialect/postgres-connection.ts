import { DatabaseError, type ClientBase, type ClientConfig, type CustomTypesConfig, type Pool } from 'pg';
import { DATABASE_AWAY } from '../../../contract/database-away.ts';
import type { StatementResult } from '../../sqlite/sqlite-connection.ts';
import { StoreError } from '../../sqlite/sqlite-thread.ts';
import { withoutOptions } from '../connection/addresses.ts';

/** Statements that stay prepared on a connection. */
const MAX_PREPARED = 1_000;
const names = new Map<string, string>();

/** PostgreSQL's texts cannot hold the character NUL; it becomes the replacement character. */
export const withoutNul = (text: string): string => (text.includes('\0') ? text.replaceAll('\0', '\u{fffd}') : text);

/** Name under which a statement is prepared: the same on every connection. Undefined = it is planned each time. */
function nameOf(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined || names.size >= MAX_PREPARED) return known;
  const name = `s${names.size}`;
  names.set(text, name);
  return name;
}

const BOOL = 16;
const BYTEA = 17;
/** int8, int2, int4, oid, float4, float8, numeric. */
const NUMBERS = new Set([20, 21, 23, 26, 700, 701, 1700]);

/** Values as SQLite returns them: numbers for all numbers, 0 and 1 for conditions, JSON and everything else as text. */
const types: CustomTypesConfig = {
  getTypeParser: ((type: number) => {
    if (NUMBERS.has(type)) return Number;
    if (type === BOOL) return (value: string) => (value === 't' ? 1 : 0);
    if (type === BYTEA) return (value: string) => new Uint8Array(Buffer.from(value.slice(2), 'hex'));
    return (value: string) => value;
  }) as CustomTypesConfig['getTypeParser'],
};

/** Plans as for a disk without seeks, and a server that drops a machine that is gone within six seconds. */
const OF_A_SESSION: Readonly<Record<string, string>> = {
  jit: 'off',
  random_page_cost: '1.1',
  max_parallel_workers_per_gather: '0',
  tcp_keepalives_idle: '2',
  tcp_keepalives_interval: '1',
  tcp_keepalives_count: '3',
  tcp_user_timeout: '6000',
  client_connection_check_interval: '1000',
  idle_session_timeout: '0',
  idle_in_transaction_session_timeout: '300000',
};

/**
 * Settings that administrators and hosting providers change for everybody, as the panel's statements and the driver
 * expect them: values come in one notation, and long statements end.
 */
export const OWN_DEFAULTS: Readonly<Record<string, string>> = {
  // A replica refuses the strictest one.
  default_transaction_isolation: 'read committed',
  statement_timeout: '0',
  lock_timeout: '0',
  bytea_output: 'hex',
  extra_float_digits: '1',
  standard_conforming_strings: 'on',
  array_nulls: 'on',
  datestyle: 'ISO',
  timezone: 'UTC',
  client_min_messages: 'warning',
};

/** Settings as a connection sends them when it opens. */
export const startupOptions = (settings: Readonly<Record<string, string>>): string =>
  Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value.replaceAll(/[\\ ]/g, '\\$&')}`)
    .join(' ');

/** @param name of the process, as the server shows it */
export function connectionOptions(url: string, schema: string, name: string): ClientConfig {
  const { address, options } = withoutOptions(url);
  const own = startupOptions({ search_path: `"${schema}"`, ...OWN_DEFAULTS, ...OF_A_SESSION });
  return {
    connectionString: address,
    types,
    application_name: name,
    keepAlive: true,
    // Of two with the same name the last one holds.
    options: `${options} ${own}`.trim(),
  };
}

/** Runs one statement whose placeholders are already numbered. */
export async function runStatement(
  connection: ClientBase | Pool,
  text: string,
  parameters: readonly unknown[],
): Promise<StatementResult> {
  const name = nameOf(text);
  try {
    const result = await (connection as ClientBase).query({
      text,
      values: parameters.map((value) => (typeof value === 'string' ? withoutNul(value) : value)),
      ...(name !== undefined && parameters.length > 0 && { name }),
    });
    return { rows: result.rows, changes: result.command === 'SELECT' ? 0 : (result.rowCount ?? 0), lastInsertId: 0 };
  } catch (error) {
    throw asStoreError(error, text);
  }
}

/** @returns an error with PostgreSQL's code (`23505`), or the code of a server that is away */
export function asStoreError(error: unknown, text: string): unknown {
  if (!(error instanceof Error) || error instanceof StoreError) return error;
  const code = isAwayError(error) ? DATABASE_AWAY : 'code' in error ? String(error.code) : '';
  return Object.assign(new StoreError(`${error.message} in ${text.slice(0, 400)}`, code), { cause: error });
}

/** Server states: connection failures, stopping or not started yet, no more connections accepted. */
const AWAY_CODES = /^(?:08|57P0|53300$)/;

/** Whether a statement failed because the server is unreachable, whatever the statement was. */
export function isAwayError(error: unknown): boolean {
  if (error instanceof StoreError) return error.code === DATABASE_AWAY;
  if (error instanceof DatabaseError) return AWAY_CODES.test(error.code ?? '');
  // All other driver errors concern the connection, except mistakes of the program.
  return error instanceof Error && !(error instanceof TypeError || error instanceof RangeError);
}
