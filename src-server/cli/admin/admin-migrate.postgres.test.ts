import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { expect, test } from 'vitest';
import { afterTest, testFolder } from '../../testing/for-each-test.ts';
import { openPanel } from '../../testing/panels/open-panel.ts';
import { copyDatabase, databaseOf, dropDatabase } from '../../testing/postgres/databases.ts';

const ADMIN = fileURLToPath(new URL('admin.ts', import.meta.url));
const PANEL = fileURLToPath(new URL('../../main.ts', import.meta.url));
/** Tables at which a copy is killed: near the beginning, in the middle, near the end of the order in which they are copied. */
const MOMENTS = ['admins', 'clients', 'clientInbounds'];

function migrate(folder: string, to: string, database?: string): ChildProcess {
  return spawn(process.execPath, [ADMIN, '--data-dir', folder, 'migrate', '--to', to], {
    env: { ...process.env, ...(database !== undefined && { DATABASE_URL: database }) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

async function done(command: ChildProcess): Promise<{ tables: number; rows: number }> {
  let said = '';
  command.stdout!.on('data', (chunk: Buffer) => (said += chunk.toString()));
  expect(await once(command, 'close')).toEqual([0, null]);
  return JSON.parse(said) as { tables: number; rows: number };
}

async function connected(url: string): Promise<Client> {
  const client = new Client(url);
  await client.connect();
  afterTest(() => client.end());
  return client;
}

/** Sends SIGKILL to a command as soon as it waits for a lock held by this connection. */
async function killAtLock(server: Client, start: () => ChildProcess): Promise<void> {
  const command = start();
  const ended = once(command, 'close');
  const waiting = 'SELECT FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY(pg_blocking_pids(pid))';
  await expect.poll(async () => (await server.query(waiting)).rows.length, { timeout: 30_000 }).toBe(1);
  command.kill('SIGKILL');
  expect(await ended).toEqual([null, 'SIGKILL']);
}

/** Kills the command where it would read this table. */
async function killReading(table: string, server: Client, start: () => ChildProcess): Promise<void> {
  await server.query(`BEGIN; LOCK TABLE switchyard."${table}" IN ACCESS EXCLUSIVE MODE`);
  await killAtLock(server, start);
  await server.query('ROLLBACK');
}

/**
 * Kills the command where it would insert its first row into this table. A constraint on the table holds it up there.
 */
async function killWriting(table: string, server: Client, start: () => ChildProcess): Promise<void> {
  await server.query(`CREATE FUNCTION switchyard.held() RETURNS boolean LANGUAGE plpgsql AS
    $$ BEGIN PERFORM pg_advisory_xact_lock(1); RETURN true; END $$;
    ALTER TABLE switchyard."${table}" ADD CONSTRAINT held CHECK (switchyard.held());
    SELECT pg_advisory_lock(1)`);
  await killAtLock(server, start);
  await server.query(`SELECT pg_advisory_unlock(1);
    ALTER TABLE switchyard."${table}" DROP CONSTRAINT held;
    DROP FUNCTION switchyard.held()`);
}

/**
 * Every row of every table. Tables without rows are left out: opening a database creates the ledger's coming months.
 */
async function contentOf(server: Client): Promise<string> {
  const { rows } = await server.query<{ content: string }>(
    `SELECT schema_to_xml('switchyard', true, false, '')::text AS content`,
  );
  return rows[0]!.content.replaceAll(/<(\w+)>\n+<\/\1>\n*/g, '');
}

// Eight processes, one after another: on a busy machine that takes more than a minute.
test('a migration killed in the middle, in either direction, leaves the source as it was and nothing at the target', async () => {
  const folder = await testFolder();
  const target = databaseOf(folder)!;
  await copyDatabase('empty', folder);
  afterTest(() => dropDatabase(folder));
  const panel = await openPanel();
  afterTest(
    () => rm(panel.dataDir, { recursive: true, force: true }),
    () => dropDatabase(panel.dataDir),
  );
  const inboundId = await panel.inbound(20_443);
  for (const email of ['a', 'b', 'c']) await panel.add({ email, totalGB: 5_000 }, [inboundId]);
  await panel.app.close();
  const source = databaseOf(panel.dataDir)!;
  const file = join(folder, 'panel.db');

  const from = await connected(source);
  const content = await contentOf(from);
  for (const table of MOMENTS) {
    await killReading(table, from, () => migrate(folder, 'file', source));
    expect(existsSync(file)).toBe(false);
    expect(await contentOf(from)).toEqual(content);
  }
  const there = await done(migrate(folder, 'file', source));
  expect(await contentOf(from)).toEqual(content);

  const bytes = readFileSync(file);
  const to = await connected(target);
  const nothing = await contentOf(to);
  for (const table of MOMENTS) {
    await killWriting(table, to, () => migrate(folder, target));
    expect(await contentOf(to)).toEqual(nothing);
    expect(readFileSync(file).equals(bytes)).toBe(true);
  }
  expect(await done(migrate(folder, target))).toEqual({ tables: there.tables, rows: there.rows });
});

/** Runs a program without an address of a database to its end; a panel is stopped once it is ready. */
async function unaddressed(program: string, folder: string, ...args: string[]) {
  const child = spawn(process.execPath, [program, '--data-dir', folder, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const errors = text(child.stderr);
  child.stdout.on('data', () => program === PANEL && child.kill());
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stderr: await errors };
}

// Ten processes, one after another.
test('a folder whose panel is on a server is not used without its address, until the data is back', async () => {
  const folder = await testFolder();
  await copyDatabase('empty', folder);
  afterTest(() => dropDatabase(folder));
  expect((await unaddressed(ADMIN, folder, 'token', 'create', 'in-file')).code).toBe(0);
  const server = databaseOf(folder)!;
  await done(migrate(folder, server));

  const before = readFileSync(join(folder, 'panel.db'));
  const sentence = new RegExp(`The database of the panel in ${folder} is on a server\\.`);
  const other = `${server.replace(/\?.*/, '')}-other`;
  for (const [program, ...args] of [
    [ADMIN, 'token', 'create', 'stale'],
    [ADMIN, 'doctor'],
    [ADMIN, 'restore', join(folder, 'panel.db')],
    [ADMIN, 'migrate', '--to', other],
  ] as const)
    expect(await unaddressed(program, folder, ...args)).toEqual({
      code: 1,
      stderr: expect.stringMatching(sentence) as string,
    });
  const started = await unaddressed(PANEL, folder, '--port', '0', '--sub-port', '0');
  expect(started).toEqual({ code: 78, stderr: expect.stringMatching(sentence) as string });
  expect(readFileSync(join(folder, 'panel.db'))).toEqual(before);
  const note = join(folder, 'database-on-server');

  // A start notes it, too.
  await rm(note);
  await unaddressed(PANEL, folder, '--port', '0', '--sub-port', '0', '--database', server);
  expect(existsSync(note)).toBe(true);

  await rm(join(folder, 'panel.db'));
  await done(migrate(folder, 'file', server));
  expect((await unaddressed(ADMIN, folder, 'token', 'list')).code).toBe(0);
});
