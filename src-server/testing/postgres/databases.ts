import { execFileSync } from 'node:child_process';
import { basename } from 'node:path';
import { Client } from 'pg';
import { inject } from 'vitest';
import '../provided.ts';
import { COMMITS } from '../../store/postgres/shared-names.ts';
import { withoutNul } from '../../store/postgres/dialect/postgres-connection.ts';
import { respell } from '../../store/postgres/dialect/respell.ts';

/** Where the tests of this run have their databases: in files, or on a PostgreSQL server. */
const server = (): { url: string; psql: string } | null => inject('postgres');

const urlOf = (database: string): string => server()!.url.replace('/postgres?', `/${encodeURIComponent(database)}?`);

/** Address of the database that belongs to a data folder; undefined = the file in it. */
export const databaseOf = (dataDir: string): string | undefined =>
  server() === null ? undefined : urlOf(basename(dataDir));

/** Whether this run has its databases in files. */
export const isInFiles = (): boolean => server() === null;

/** Defines tests that only apply to files, `inFiles(describe)(…)`; on a server they do not exist. */
export const inFiles = <T extends object>(define: T): T => (isInFiles() ? define : ((() => undefined) as unknown as T));

/** Runs a command beside a panel, with the database from its environment. */
export async function beside<T>(dataDir: string, command: () => Promise<T>): Promise<T> {
  const url = databaseOf(dataDir);
  if (url === undefined) return command();
  process.env['DATABASE_URL'] = url;
  try {
    return await command();
  } finally {
    delete process.env['DATABASE_URL'];
  }
}

async function asOwner(statement: string, values: readonly string[] = [], url = server()!.url): Promise<void> {
  const client = new Client(url);
  await client.connect();
  try {
    await client.query(statement, [...values]);
  } finally {
    await client.end();
  }
}

/** Gives a data folder its own database: files are copied, which takes a third of the work of logging each page. */
export async function copyDatabase(template: 'prepared' | 'empty' | 'template0', dataDir: string): Promise<void> {
  if (server() === null) return;
  await asOwner(`CREATE DATABASE "${basename(dataDir)}" TEMPLATE ${template} STRATEGY file_copy`);
}

export async function dropDatabase(dataDir: string): Promise<void> {
  if (server() === null) return;
  await asOwner(`DROP DATABASE IF EXISTS "${basename(dataDir)}" WITH (FORCE)`);
}

/**
 * The server refuses a panel's database and cuts its connections, as if it were gone; other panels are not affected.
 */
export async function takeAway(dataDir: string): Promise<void> {
  const name = basename(dataDir);
  await asOwner(`ALTER DATABASE "${name}" ALLOW_CONNECTIONS false`);
  await asOwner(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`);
}

export const giveBack = (dataDir: string): Promise<void> =>
  asOwner(`ALTER DATABASE "${basename(dataDir)}" ALLOW_CONNECTIONS true`);

/** Gives the panel of a data folder its GUID before it starts. */
export const giveGuid = (dataDir: string, guid: string): Promise<void> =>
  asOwner(`INSERT INTO switchyard.settings (key, value) VALUES ('panelGuid', $1)`, [guid], urlOf(basename(dataDir)));

/** Runs one statement at once, past the panel. */
export function writeDirectly(dataDir: string, sql: string, values: readonly (string | number)[]): void {
  const text = respell(sql).replaceAll(/\$(\d+)/g, (_, n: string) => {
    const value = values[Number(n) - 1]!;
    return typeof value === 'number' ? String(value) : `'${withoutNul(value).replaceAll("'", "''")}'`;
  });
  execFileSync(server()!.psql, [urlOf(basename(dataDir)), '-q', '-v', 'ON_ERROR_STOP=1', '-f', '-'], {
    // Notified as a command of the panel would.
    input: `SET search_path = switchyard;\n${text};\nNOTIFY ${COMMITS};`,
    stdio: ['pipe', 'ignore', 'pipe'],
  });
}
