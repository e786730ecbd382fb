import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { open } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { Client } from 'pg';
import { DomainError } from '../../../contract/domain-error.ts';
import { clientPrograms, complaintOf, fittingProgram } from './client-programs.ts';
import { findServer } from '../connection/connect.ts';
import { SCHEMA } from '../schema/version-place.ts';

/**
 * Writes the panel's schema into a file with `pg_dump --format=custom`, from one snapshot. After a failure the file is
 * useless.
 * @param file created or overwritten; only its owner may read it
 * @throws {DomainError} `store.dumpProgramMissing`, `store.dumpProgramOld`, `store.dumpFailed`, and as in `connect.ts`
 */
export async function dumpServer(url: string, file: string): Promise<void> {
  const { client, url: server } = await findServer(url);
  let major: number;
  try {
    const { rows } = await client.query<{ major: number }>(
      `SELECT current_setting('server_version_num')::int / 10000 AS major`,
    );
    ({ major } = rows[0]!);
  } finally {
    await client.end();
  }
  const { path: program } = fittingProgram(await clientPrograms('pg_dump'), major);
  await (await open(file, 'w', 0o600)).close();
  const child = spawn(
    program,
    ['--format=custom', `--schema=${SCHEMA}`, '--no-owner', '--no-privileges', '--no-password', `--file=${file}`],
    { env: environmentFor(server), stdio: ['ignore', 'ignore', 'pipe'], windowsHide: true },
  );
  const ended = once(child, 'close') as Promise<[number | null, string | null]>;
  const complaint = complaintOf(await text(child.stderr));
  const [code, signal] = await ended;
  if (code !== 0) throw new DomainError('store.dumpFailed', { reason: complaint || `it ended with ${code ?? signal}` });
}

const PASSED_ON: Readonly<Record<string, string>> = {
  sslmode: 'PGSSLMODE',
  sslrootcert: 'PGSSLROOTCERT',
  sslcert: 'PGSSLCERT',
  sslkey: 'PGSSLKEY',
};

/**
 * The address as environment variables for PostgreSQL's programs: a password in the arguments would show in the process
 * list.
 */
function environmentFor(url: string): NodeJS.ProcessEnv {
  const { host, port, user, database, password } = new Client({ connectionString: url });
  const at = url.indexOf('?');
  const parameters = new URLSearchParams(at === -1 ? '' : url.slice(at + 1));
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    LC_ALL: 'C',
    PGHOST: host,
    PGPORT: String(port),
    PGAPPNAME: 'switchyard backup',
    PGCONNECT_TIMEOUT: '10',
    ...(user !== undefined && { PGUSER: user }),
    ...(database !== undefined && { PGDATABASE: database }),
    ...(typeof password === 'string' && { PGPASSWORD: password }),
  };
  // They would lead elsewhere.
  for (const name of ['PGSERVICE', 'PGHOSTADDR', 'PGOPTIONS']) delete env[name];
  for (const [parameter, name] of Object.entries(PASSED_ON)) {
    const value = parameters.get(parameter);
    // A mode that only the driver knows.
    if (value !== null) env[name] = value === 'no-verify' ? 'require' : value;
  }
  return env;
}
