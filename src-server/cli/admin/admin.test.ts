import { execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import Database from 'better-sqlite3';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { testFolder } from '../../testing/for-each-test.ts';
import { lockDataFolder } from '../../store/data-lock.ts';
import { openStore, type Store } from '../../store/open-store.ts';
import { makeSelfSigned } from '../../testing/peers/self-signed.ts';
import { recordingLogger } from '../../testing/test-store.ts';
import { runAdmin } from './run-admin.ts';

const ADMIN = fileURLToPath(new URL('./admin.ts', import.meta.url));
const OTHER_PANEL = fileURLToPath(new URL('../../domains/import/fixtures/other-panel.db.gz', import.meta.url));
const SERVE = fileURLToPath(new URL('../serve.ts', import.meta.url));

let dataDir: string;
let panel: { store: Store; stop(): Promise<void> } | null = null;
beforeEach(async () => {
  dataDir = await testFolder();
});
afterEach(async () => {
  await panel?.stop();
  panel = null;
});

interface ProgramResult {
  code: number;
  stdout: string;
  stderr: string;
}

function run(program: string, args: readonly string[], input = ''): Promise<ProgramResult> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [program, ...args], (error, stdout, stderr) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr }),
    );
    child.stdin!.end(input);
  });
}
/** The program, without the half second that a process takes to start. */
async function admin(...args: string[]): Promise<ProgramResult> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const umask = process.umask();
  const code = await runAdmin(['--data-dir', dataDir, ...args], { ...process, stdout, stderr } as never);
  process.umask(umask);
  stdout.end();
  stderr.end();
  return { code, stdout: await text(stdout), stderr: await text(stderr) };
}

/** Holds the folder and the database as a running panel does. */
async function startPanel(): Promise<Store> {
  const lock = lockDataFolder(dataDir);
  const store = await openStore({ dataDir, clock: Date.now, log: recordingLogger() });
  panel = {
    store,
    async stop() {
      await store.close();
      lock.release();
    },
  };
  return store;
}

const tokensOf = (store: Store) => store.reader.selectFrom('apiTokens').selectAll().execute();
const settingOf = async (store: Store, key: string) =>
  (await store.reader.selectFrom('settings').select('value').where('key', '=', key).executeTakeFirst())?.value;

describe('npm run admin', () => {
  it('creates, lists, switches and deletes tokens beside a running panel, which applies the changes at once', async () => {
    const store = await startPanel();
    const created = await admin('token', 'create', 'robot');
    expect(created).toEqual({ code: 0, stdout: expect.stringMatching(/^[0-9A-Za-z]{48}\n$/), stderr: '' });
    const [row] = await tokensOf(store);
    expect(row!.tokenHash).toBe(createHash('sha256').update(created.stdout.trim()).digest('hex'));
    const listed = await admin('token', 'list');
    expect(JSON.parse(listed.stdout)).toEqual({ id: 1, name: 'robot', enabled: true, createdAt: row!.createdAtMs });
    expect(await admin('token', 'disable', 'robot')).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(await tokensOf(store)).toMatchObject([{ enabled: 0 }]);
    expect((await admin('token', 'delete', '1')).code).toBe(0);
    expect(await tokensOf(store)).toEqual([]);
    expect(await admin('token', 'enable', 'robot')).toMatchObject({ code: 1, stdout: '', stderr: 'token not found\n' });
  });

  it('works before the first start, and leaves a folder only its owner can open', async () => {
    expect((await admin('token', 'create', 'early')).code).toBe(0);
    expect(await admin('token', 'create', 'early')).toMatchObject({
      code: 1,
      stdout: '',
      stderr: 'a token with that name already exists\n',
    });
    expect(await tokensOf(await startPanel())).toMatchObject([{ name: 'early' }]);
  });

  it('resets the admin, ends the sessions and switches two-factor sign-in off when asked', async () => {
    const store = await startPanel();
    const first = JSON.parse((await admin('user', 'reset')).stdout) as Record<string, string>;
    expect(Object.keys(first)).toEqual(['username', 'password']);
    await store.write(async (trx) => {
      await trx.insertInto('settings').values({ key: 'twoFactorEnable', value: 'true' }).execute();
    });
    const second = JSON.parse((await admin('user', 'reset')).stdout) as Record<string, string>;
    expect(second['username']).toBe(first['username']);
    expect(second['password']).not.toBe(first['password']);
    expect(await settingOf(store, 'twoFactorEnable')).toBe('true');
    expect((await admin('user', 'reset', '--disable-2fa')).code).toBe(0);
    expect(await settingOf(store, 'twoFactorEnable')).toBeUndefined();
    const [row] = await store.reader.selectFrom('admins').selectAll().execute();
    expect(row!.loginEpoch).toBe(2);
  });

  it('gets and sets settings with the rules of the panel', async () => {
    const store = await startPanel();
    expect(await admin('settings', 'set', 'webPort', '8443', 'subPort=8444')).toEqual({
      code: 0,
      stdout: '',
      stderr: 'Saved: webPort, subPort\nThis takes effect when the panel starts next.\n',
    });
    expect(await settingOf(store, 'webPort')).toBe('8443');
    expect((await admin('settings', 'get', 'webPort')).stdout).toBe('8443\n');
    expect(JSON.parse((await admin('settings', 'get')).stdout)).toMatchObject({
      subPort: 8444,
      smtpPassword: '(not set)',
    });
    expect(await admin('settings', 'set', 'subPort', '8443')).toMatchObject({
      code: 1,
      stderr: 'Sub and Web could not use same ip:port,  : 8443 &  : 8443\n',
    });
    expect(await admin('settings', 'set', 'webPort', '0', 'tgCpu=lots')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^webPort: must be at least 1\ntgCpu: .+\n$/),
    });
    expect(await admin('settings', 'set', 'toString', '1')).toMatchObject({
      code: 1,
      stderr: 'there is no setting named toString; settings get shows all\n',
    });
    expect(await settingOf(store, 'webPort')).toBe('8443');
  });

  it('reads a secret from stdin, never prints it, and erases it', async () => {
    const store = await startPanel();
    const set = await run(ADMIN, ['--data-dir', dataDir, 'settings', 'set', 'smtpPassword'], 'hunter two\n');
    expect(set).toEqual({ code: 0, stdout: '', stderr: 'Saved: smtpPassword\n' });
    expect(await settingOf(store, 'smtpPassword')).toMatch(/^v1:/);
    const shown = [await admin('settings', 'get', 'smtpPassword'), await admin('settings', 'get')];
    expect(shown[0]!.stdout).toBe('(set)\n');
    for (const { stdout, stderr } of shown) expect(stdout + stderr).not.toContain('hunter');
    expect((await admin('settings', 'set', 'smtpPassword=')).code).toBe(0);
    expect(await settingOf(store, 'smtpPassword')).toBe('');
  });

  it('refuses unknown commands with its usage, and changes nothing', async () => {
    for (const args of [
      [],
      ['token'],
      ['token', 'create'],
      ['frob'],
      ['token', 'create', 'a', 'b'],
      ['--frob', 'doctor'],
      // Options of other commands: nothing is only tried out.
      ['user', 'reset', '--dry-run'],
      ['token', 'create', 'x', '--with-keys'],
      ['certificate', 'self-signed', 'x', '192.0.2.1', '--agree-terms'],
      ['import', '--from', 'postgres://db.example/x', '--native'],
    ]) {
      const { code, stdout, stderr } = await admin(...args);
      expect([code, stdout], args.join(' ')).toEqual([64, '']);
      expect(stderr).toContain('Usage: npm run admin');
    }
    expect(await admin('--help')).toMatchObject({ code: 0, stdout: '' });
    expect(await run(ADMIN, ['frob'])).toMatchObject({ code: 64, stdout: '' });
  });

  it('does its work and ends quietly when nobody reads what it prints', async () => {
    for (const args of [['user', 'reset'], ['doctor'], ['frob']]) {
      const child = spawn(process.execPath, [ADMIN, '--data-dir', dataDir, ...args]);
      child.stdout.destroy();
      const quiet = args[0] === 'frob' ? child.stderr.destroy() : text(child.stderr);
      const code = await new Promise((resolve) => child.once('close', resolve));
      if (args[0] === 'frob') expect(code).toBe(64);
      else expect(await quiet).toBe(args[0] === 'user' ? `There was no panel in ${dataDir} yet.\n` : '');
    }
    expect(await (await startPanel()).reader.selectFrom('admins').selectAll().execute()).toHaveLength(1);
  });

  it('makes no backup of nothing, and says when it finds no panel', async () => {
    const file = `${dataDir}.copy`;
    expect(await admin('backup', file)).toEqual({
      code: 1,
      stdout: '',
      stderr: `There is no database at ${dataDir}.\n`,
    });
    expect(await readdir(dataDir)).toEqual([]);
    expect(await admin('token', 'list')).toEqual({
      code: 0,
      stdout: '',
      stderr: `There was no panel in ${dataDir} yet.\n`,
    });
    expect((await admin('token', 'list')).stderr).toBe('');
  });

  it('works beside another command that is just opening the folder', async () => {
    await admin('user', 'reset');
    const names = ['a', 'b', 'c'];
    const ended = await Promise.all(names.map((name) => run(ADMIN, ['--data-dir', dataDir, 'token', 'create', name])));
    expect(ended.map(({ code, stderr }) => `${code} ${stderr}`)).toEqual(['0 ', '0 ', '0 ']);
    expect((await tokensOf(await startPanel())).map(({ name }) => name).toSorted()).toEqual(names);
  });

  it('leaves the file alone while its panel uses a database on a server', async () => {
    // The file that a migration has left.
    await admin('user', 'reset');
    const lock = lockDataFolder(dataDir);
    const result = await admin('token', 'create', 'x');
    lock.release();
    expect(result).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/has its database on a server/) as string,
    });
    expect(await tokensOf(await startPanel())).toEqual([]);
  });

  it('brings a backup back in place of the database of a newer panel', async () => {
    const file = `${dataDir}.copy`;
    await admin('token', 'create', 'kept');
    await admin('backup', file);
    const database = new Database(join(dataDir, 'panel.db'));
    database.pragma('user_version = 99999');
    database.close();
    expect((await admin('token', 'list')).stderr).toMatch(/written by a newer panel/);
    expect(await admin('restore', file)).toMatchObject({
      code: 0,
      stderr: 'The panel starts with it the next time. Until then it can be withdrawn: restore --cancel\n',
    });
    const store = await openStore({ dataDir, clock: Date.now, log: recordingLogger(), isPanel: true });
    panel = { store, stop: () => store.close() };
    expect(await tokensOf(store)).toMatchObject([{ name: 'kept' }]);
    await rm(file);
  });

  it('withdraws a restore that waits for the next start', async () => {
    const file = `${dataDir}.copy`;
    await admin('token', 'create', 'first');
    await admin('backup', file);
    await admin('token', 'create', 'second');
    const none = { code: 1, stdout: '', stderr: 'Nothing waits for the next start of the panel.\n' };
    expect(await admin('restore', '--cancel')).toEqual(none);
    expect((await admin('restore', file)).code).toBe(0);
    expect(await admin('restore', file)).toMatchObject({
      code: 1,
      stderr:
        'A restore or an import waits for the next start of the panel already. Withdraw it first: restore --cancel\n',
    });
    expect(await admin('user', 'reset')).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/^Another database replaces this one .* is lost then\.\n.*restore --cancel\n$/),
    });
    const lock = lockDataFolder(dataDir);
    expect((await admin('restore', '--cancel')).stderr).toMatch(/^Another panel uses the data folder/);
    lock.release();
    expect(await admin('restore', '--cancel')).toEqual({
      code: 0,
      stdout: '',
      stderr: 'Withdrawn: the panel keeps its database.\n',
    });
    expect(await admin('restore', '--cancel')).toEqual(none);
    const store = await openStore({ dataDir, clock: Date.now, log: recordingLogger(), isPanel: true });
    panel = { store, stop: () => store.close() };
    expect(await tokensOf(store)).toMatchObject([{ name: 'first' }, { name: 'second' }]);
    await rm(file);
  });

  it('keeps what a command changes before the start with an import: tokens and the password', async () => {
    const file = `${dataDir}.other`;
    await writeFile(file, gunzipSync(await readFile(OTHER_PANEL)));
    await admin('user', 'reset');
    await admin('token', 'create', 'revoked');
    await admin('token', 'create', 'kept');
    expect((await admin('restore', file)).code).toBe(0);
    expect(await admin('token', 'delete', 'revoked')).toMatchObject({ code: 0, stderr: '' });
    expect(await admin('user', 'reset')).toMatchObject({ code: 0, stderr: '' });
    // Not this one.
    expect((await admin('settings', 'set', 'subTitle', 'lost')).stderr).toMatch(/^Another database replaces this one/);
    const database = new Database(join(dataDir, 'panel.db'), { readonly: true });
    const passwords = database.prepare('SELECT passwordHash FROM admins').all();
    database.close();
    const store = await openStore({ dataDir, clock: Date.now, log: recordingLogger(), isPanel: true });
    panel = { store, stop: () => store.close() };
    const names = (await tokensOf(store)).map(({ name }) => name);
    expect([names.includes('kept'), names.includes('revoked'), names.length > 1]).toEqual([true, false, true]);
    expect(await store.reader.selectFrom('admins').select('passwordHash').execute()).toEqual(passwords);
    await rm(file);
  });

  it('changes nothing in the folder when it only tries a restore out', async () => {
    const file = `${dataDir}.copy`;
    await admin('user', 'reset');
    await admin('backup', file);
    const database = join(dataDir, 'panel.db');
    const older = new Database(database);
    older.pragma('user_version = 10');
    older.close();
    await rm(join(dataDir, 'panel.lock'));
    const state = async () => [await readdir(dataDir, { recursive: true }), await readFile(database)];
    const before = await state();
    const tried = await admin('restore', file, '--dry-run');
    expect(tried).toMatchObject({ code: 0, stderr: 'Nothing was changed.\n' });
    expect(JSON.parse(tried.stdout)).toMatchObject({ kind: 'own' });
    expect(await state()).toEqual(before);
    await writeFile(database, 'damaged');
    expect((await admin('restore', file, '--dry-run')).stderr).toMatch(
      /^An error .* \(The database of this panel cannot be read; the command doctor says what to do: .*\)\n$/,
    );
    await rm(database);
    expect(await admin('restore', file, '--dry-run')).toEqual({
      ...tried,
      stderr: `There was no panel in ${dataDir} yet.\nNothing was changed.\n`,
    });
    expect(await readdir(dataDir)).toEqual(['backups']);
    await rm(file);
  });

  it('leaves a database of another version alone while its panel runs', async () => {
    const store = await startPanel();
    await store.write(async (trx) => {
      await sql`PRAGMA user_version = 99999`.execute(trx);
    });
    const { code, stderr } = await admin('token', 'create', 'x');
    expect(code).toBe(1);
    expect(stderr).toMatch(/^The panel that uses this data folder has another version \(database 99999/);
    expect(await tokensOf(store)).toEqual([]);
  });
});

describe('npm run admin -- doctor', () => {
  /** Answers like a core that is asked for its version. */
  async function fakeCore(version: string): Promise<string> {
    const file = join(dataDir, 'core-program');
    await writeFile(file, `#!/bin/sh\necho "Xray ${version} (Xray, Penetrates Everything.) Custom"\n`);
    await chmod(file, 0o755);
    return file;
  }
  /** Ports that were free a moment ago, so that a panel running on this machine does not interfere. */
  async function useFreePorts() {
    const ports = [];
    for (const key of ['webPort', 'subPort']) {
      const server = createServer().listen(0, '127.0.0.1');
      await new Promise((resolve) => server.once('listening', resolve));
      ports.push(`${key}=${(server.address() as AddressInfo).port}`);
      await new Promise((resolve) => server.close(resolve));
    }
    await admin('settings', 'set', 'webListen=127.0.0.1', 'subListen=127.0.0.1', ...ports);
  }

  it('reports that all is well, and ends with 0', async () => {
    await useFreePorts();
    await admin('settings', 'set', 'smtpPassword=secret');
    const { code, stdout } = await admin('doctor', '--core', await fakeCore('26.7.28'));
    expect(
      stdout
        .trimEnd()
        .split('\n')
        .filter((line) => !line.startsWith('ok   ')),
    ).toEqual([]);
    expect(stdout).toContain('The panel is not running.');
    expect(code).toBe(0);
  });

  it('names each thing that needs doing, and changes nothing', async () => {
    await useFreePorts();
    const { certPem, keyPem } = makeSelfSigned(-1);
    const certFile = join(dataDir, 'a.crt');
    const keyFile = join(dataDir, 'a.key');
    await writeFile(certFile, certPem);
    await writeFile(keyFile, keyPem);
    const server = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    await admin('settings', 'set', `webPort=${port}`, `webCertFile=${certFile}`, `webKeyFile=${keyFile}`);
    await admin('settings', 'set', `subCertFile=${certFile}`, `subKeyFile=${keyFile}`, 'tgBotToken=t');
    await rm(keyFile);
    await writeFile(join(dataDir, 'secret.key'), Buffer.alloc(32, 7), { mode: 0o644 });
    await chmod(join(dataDir, 'secret.key'), 0o644);
    await chmod(dataDir, 0o755);
    const filesBefore = await readdir(dataDir);
    const { code, stdout } = await admin('doctor', '--core', await fakeCore('1.0.0'));
    await new Promise((resolve) => server.close(resolve));
    const todos = stdout.split('\n').filter((line) => line.startsWith('fix  '));
    const wanted = [
      /stored tgBotToken cannot be read/,
      new RegExp(`Port ${port} of the panel is used by another program`),
      /The panel cannot use its certificate: .*key file cannot be read/,
      /The subscription server cannot use its certificate/,
      /version 1\.0\.0; at least/,
      /Other users can look into .*chmod 700/,
      /Others can read .*secret\.key \(mode 0644\).*chmod 600/,
    ];
    expect(todos).toHaveLength(wanted.length);
    for (const [at, pattern] of wanted.entries()) expect(todos[at]).toMatch(pattern);
    expect(code).toBe(1);
    expect((await readdir(dataDir)).filter((name) => name !== 'core-program')).toEqual(filesBefore);
  });

  it('says in a sentence when the disk does not let it look', async () => {
    await admin('user', 'reset');
    // As with a folder of another user, which root may open.
    await rm(join(dataDir, 'panel.lock'));
    await mkdir(join(dataDir, 'panel.lock'));
    for (const command of [['doctor'], ['token', 'list']])
      expect(await admin(...command)).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(/^The database cannot be written: .*\n$/) as string,
      });
  });

  it('reports certificates that expire soon or lack the name of the panel', async () => {
    await useFreePorts();
    const { certPem, keyPem } = makeSelfSigned(13);
    const certFile = join(dataDir, 'a.crt');
    const keyFile = join(dataDir, 'a.key');
    await writeFile(certFile, certPem);
    await writeFile(keyFile, keyPem);
    await admin('settings', 'set', `webCertFile=${certFile}`, `webKeyFile=${keyFile}`, 'webDomain=panel.example');
    const { code, stdout } = await admin('doctor', '--core', await fakeCore('99.0.0'));
    expect(stdout).toMatch(/fix {2}The panel: the certificate expires on \d{4}-\d\d-\d\d\. Renew or replace /);
    expect(stdout).toContain(
      'fix  The panel: the certificate is not made out to panel.example; names on it: localhost',
    );
    expect(code).toBe(1);
  });

  it('counts ports as held while the panel runs, and reports when no panel runs', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    await startPanel();
    await admin('settings', 'set', 'webListen=127.0.0.1', `webPort=${port}`);
    const { stdout } = await admin('doctor');
    await new Promise((resolve) => server.close(resolve));
    expect(stdout).toContain('ok   The panel is running.');
    expect(stdout).toContain(`ok   Port ${port} of the panel is held, and the panel is running.`);
    const nowhere = await admin('--data-dir', join(dataDir, 'nothing'), 'doctor');
    expect(nowhere).toMatchObject({ code: 1, stdout: expect.stringContaining('There is no panel in') });
    expect(await readdir(dataDir)).not.toContain('nothing');
  });
});

describe('npm run serve', () => {
  it('refuses a wrong command line with its usage, on stderr only', async () => {
    const { code, stdout, stderr } = await run(SERVE, ['--prot', '1']);
    expect([code, stdout]).toEqual([64, '']);
    expect(stderr).toContain("Unknown option '--prot'");
    expect(stderr).toContain('--data-dir DIR');
  });
});
