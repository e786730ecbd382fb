import { createHash, scryptSync } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { Client } from 'pg';
import type { TestProject } from 'vitest/node';
import { createApp } from '../../app.ts';
import { DATABASE_NAME, openStore } from '../../store/open-store.ts';
import { ADMIN, API_TOKEN } from '../credentials.ts';
import { startCluster, type Cluster } from '../postgres/cluster.ts';
import '../provided.ts';

/** Before the time of any test. */
const PREPARED_AT_MS = 1_600_000_000_000;

const log = { debug() {}, info() {}, warn() {}, error() {} };

/**
 * Makes the data folder that the panels of a run start from (the schema, an administrator and an API token), and an
 * empty database. Every panel makes its own GUID.
 */
export const setup = (project: TestProject): Promise<() => Promise<void>> =>
  prepare(project, process.env['TEST_DATABASE'] === 'postgres');

/** Settings of a server without durability and replication. */
const SHORT_LIVED = [
  'fsync=off',
  'full_page_writes=off',
  'synchronous_commit=off',
  'wal_level=minimal',
  'max_wal_senders=0',
];

/** @param isOnServer the databases are on a PostgreSQL server started for the run */
export async function prepare(project: TestProject, isOnServer: boolean): Promise<() => Promise<void>> {
  const cluster = isOnServer ? await startCluster(SHORT_LIVED) : null;
  project.provide('postgres', cluster === null ? null : { url: cluster.url('postgres'), psql: cluster.psql });
  const dataDir = await mkdtemp(join(tmpdir(), 'switchyard-prepared-'));
  if (cluster !== null) await prepareServer(cluster);
  const app = await createApp({
    dataDir,
    resourcesDir: dataDir,
    core: join(dataDir, 'no-such-core'),
    overrides: { webListen: '127.0.0.1', webPort: 0, subListen: '127.0.0.1', subPort: 0 },
    log,
    clock: () => PREPARED_AT_MS,
    onRestart: () => {},
    isHstsAllowed: true,
  });
  await app.coreBooted;
  await app.close();
  const database = new Database(join(dataDir, DATABASE_NAME));
  database.prepare('UPDATE admins SET username = ?, passwordHash = ?').run(ADMIN.username, cheapHash(ADMIN.password));
  database
    .prepare('INSERT INTO apiTokens (name, tokenHash, enabled, createdAtMs) VALUES (?, ?, 1, ?)')
    .run('test', createHash('sha256').update(API_TOKEN).digest('hex'), PREPARED_AT_MS);
  database.prepare(`DELETE FROM settings WHERE key = 'panelGuid'`).run();
  // On a busy machine it lives long enough to take one, and the time of a test would be a leap of the clock.
  database.prepare('DELETE FROM metricSamples').run();
  database.close();
  project.provide('preparedFolder', dataDir);

  const emptyFolder = await mkdtemp(join(tmpdir(), 'switchyard-empty-'));
  await (await openStore({ dataDir: emptyFolder, clock: () => PREPARED_AT_MS, log })).close();
  project.provide('emptyDatabase', join(emptyFolder, DATABASE_NAME));
  return async () => {
    await cluster?.stop();
    for (const folder of [dataDir, emptyFolder]) await rm(folder, { recursive: true, force: true });
  };
}

/** The same two databases on a server. */
async function prepareServer(cluster: Cluster): Promise<void> {
  const owner = new Client(cluster.url('postgres'));
  await owner.connect();
  await owner.query('CREATE DATABASE empty TEMPLATE template0');
  const dataDir = await mkdtemp(join(tmpdir(), 'switchyard-prepared-'));
  const open = (database: string) =>
    openStore({ dataDir, clock: () => PREPARED_AT_MS, log, database: cluster.url(database) });
  await (await open('empty')).close();
  await owner.query('CREATE DATABASE prepared TEMPLATE empty');
  const app = await createApp({
    dataDir,
    store: open('prepared'),
    resourcesDir: dataDir,
    core: join(dataDir, 'no-such-core'),
    overrides: { webListen: '127.0.0.1', webPort: 0, subListen: '127.0.0.1', subPort: 0 },
    log,
    clock: () => PREPARED_AT_MS,
    onRestart: () => {},
    isHstsAllowed: true,
  });
  await app.coreBooted;
  await app.close();
  const prepared = new Client(cluster.url('prepared'));
  await prepared.connect();
  await prepared.query('SET search_path = switchyard');
  await prepared.query('UPDATE admins SET username = $1, "passwordHash" = $2', [
    ADMIN.username,
    cheapHash(ADMIN.password),
  ]);
  await prepared.query('INSERT INTO "apiTokens" (name, "tokenHash", enabled, "createdAtMs") VALUES ($1, $2, 1, $3)', [
    'test',
    createHash('sha256').update(API_TOKEN).digest('hex'),
    PREPARED_AT_MS,
  ]);
  await prepared.query(`DELETE FROM settings WHERE key = 'panelGuid'`);
  await prepared.query('DELETE FROM "metricSamples"');
  await prepared.end();
  await owner.end();
  await rm(dataDir, { recursive: true, force: true });
}

/** With next to no work: the parameters are in the hash. */
function cheapHash(password: string): string {
  const salt = Buffer.from('salt of the tests');
  const key = scryptSync(password, salt, 32, { N: 16, r: 1, p: 1 });
  return ['scrypt', 16, 1, 1, salt.toString('base64url'), key.toString('base64url')].join('$');
}
