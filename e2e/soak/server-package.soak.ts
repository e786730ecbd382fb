import { execFile, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, lstat, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestBrowser } from '../../src-server/testing/peers/test-browser.ts';
import { createApi, type Api } from '../harness/api.ts';
import { debOf, makePackage, openBareDebian, PACKAGES, type BareDebian } from '../harness/bare-debian.ts';
import { freePort } from '../../src-server/testing/free-port.ts';
import { allowPrivateEgress } from '../harness/open-egress.ts';
import { startTargetServer, type TargetServer } from '../harness/target-server.ts';
import { isServed } from '../harness/core/vless-request.ts';
import { waitFor } from '../harness/wait-for.ts';

/**
 * The panel's package in a minimal Debian: made by debootstrap, entered by chroot, so this needs root and access to
 * Debian's packages. systemd does not run in it; the unit's command does, as its user.
 */
const NOT_WORTH_A_START = 78;
const UNITS = join(import.meta.dirname, '../../resources/package');
const run = promisify(execFile);

let debian: BareDebian;
let system: string;
let port: number;
let site: TargetServer;
let panel: { process: ChildProcess; url: string; said(): string; exit: Promise<number | null> } | null = null;
const data = (): string => join(system, 'var/lib/switchyard');

const inside = (...command: string[]): Promise<string> => debian.inside(...command);

/** The unit's command, with ports that are free here. */
function startService() {
  const options = ['--listen', '127.0.0.1', '--port', String(port), '--sub-port', '0'];
  const child = spawn('chroot', [system, '/usr/bin/switchyard', 'serve', ...options], {
    env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const exit = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const ready = new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).once('line', (line) =>
      resolve((JSON.parse(line) as { panel: string }).panel),
    );
    void exit.then(() => reject(new Error(said)));
  });
  ready.catch(() => undefined);
  return { child, ready, exit, said: () => said };
}

async function start(): Promise<Api> {
  const { child, ready, exit, said } = startService();
  panel = { process: child, url: await ready, said, exit };
  const token = (await inside('switchyard', 'admin', 'token', 'create', `t${Date.now()}`)).trim();
  return createApi(panel.url, token);
}

async function stop(): Promise<number | null> {
  panel?.process.kill('SIGTERM');
  const code = (await panel?.exit) ?? null;
  panel = null;
  return code;
}

beforeAll(async () => {
  for (const revision of ['1', '2']) await makePackage(revision);
  debian = await openBareDebian();
  ({ system } = debian);
  for (const revision of ['1', '2']) await copyFile(debOf(revision), join(system, `root/${revision}.deb`));
  [site, port] = await Promise.all([startTargetServer(), freePort()]);
}, 900_000);
afterAll(async () => {
  await stop();
  await site?.close();
  await debian?.dispose();
});

const UUID = '11111111-2222-4333-8444-555555555555';
let inboundPort: number;
let api: Api;

const statusOf = (): Promise<string> =>
  inside('dpkg-query', '-W', '-f=${Version} ${db:Status-Status}', 'switchyard').catch(() => 'unknown');

/** A package with one byte changed, as by a bad line or disk. */
async function spoilt(revision: string): Promise<string> {
  const bytes = await readFile(debOf(revision));
  bytes[bytes.length >> 1]! ^= 1;
  const name = basename(debOf(revision));
  await mkdir(join(system, 'root/spoilt'), { recursive: true });
  await writeFile(join(system, 'root/spoilt', name), bytes);
  return `/root/spoilt/${name}`;
}

it('has every page that its documentation leads to, and the files for reverse proxies', async () => {
  const tree = join(system, 'root/pages');
  await run('dpkg-deb', ['--extract', debOf('1'), tree]);
  const folder = join(tree, 'usr/share/doc/switchyard');
  for (const page of ['README.md', 'database.md']) {
    const links = [...(await readFile(join(folder, page), 'utf8')).matchAll(/\]\(([a-z-]+\.md)/g)];
    for (const [, name] of links) expect(existsSync(join(folder, name!)), `${page}: ${name}`).toBe(true);
    expect(links.length).toBeGreaterThan(0);
  }
  expect(existsSync(join(folder, 'examples/nginx.conf'))).toBe(true);
  expect(existsSync(join(folder, 'examples/Caddyfile'))).toBe(true);
});

it.skipIf(spawnSync('systemd-analyze', ['--version']).status !== 0)(
  'has a unit that systemd takes as it is, closed as far as the panel can be',
  async () => {
    const unit = join(UNITS, 'switchyard.service');
    // In tenths: 3.0 at most.
    const { stdout } = await run('systemd-analyze', ['security', '--offline=true', '--threshold=30', unit]);
    expect(stdout).toMatch(/Overall exposure level for switchyard\.service: [0-2]\.\d/);
    const files = ['switchyard.service', 'switchyard-update.service', 'switchyard-update.path'];
    const said = await run('systemd-analyze', ['verify', ...files.map((name) => join(UNITS, name))]).catch(
      (error: { stderr: string }) => error,
    );
    // The package's programs are not on this machine; nothing else is wrong with them.
    const rest = said.stderr
      .split('\n')
      .filter((line) => line.includes('switchyard') && !line.includes('not executable'));
    expect(rest).toEqual([]);
  },
);

it('leaves nothing half installed on a full disk, or from a package with one byte changed', async () => {
  const program = join(system, 'usr/lib/switchyard');
  await mkdir(program);
  await run('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', program]);
  await expect(inside('dpkg', '--install', '/root/1.deb')).rejects.toThrow('No space left on device');
  await run('umount', [program]);
  await expect(inside('dpkg', '--install', await spoilt('1'))).rejects.toThrow(/corrupted|decompress|checksum/i);
  expect(await statusOf()).not.toMatch(/ (?:installed|unpacked)$/);
  expect([existsSync(join(program, 'bin/node')), existsSync(data())]).toEqual([false, false]);
  // Do first what the deployment page says: the list shows it at once.
  await copyFile(join(PACKAGES, 'SHA256SUMS'), join(system, 'root/spoilt/SHA256SUMS'));
  const check = 'cd /root/spoilt && sha256sum --check --ignore-missing SHA256SUMS';
  await expect(inside('sh', '-c', check)).rejects.toThrow('did NOT match');
});

it('goes from the package to a served client with two commands', async () => {
  const startedMs = Date.now();
  await inside('apt-get', 'install', '-yq', '--no-install-recommends', '/root/1.deb');
  const { username, password } = JSON.parse(await inside('switchyard', 'admin', 'user', 'reset')) as Record<
    string,
    string
  >;
  api = await start();
  await createTestBrowser(panel!.url).signIn(username!, password!);

  await allowPrivateEgress(api);
  inboundPort = await freePort();
  const { id } = await api.post<{ id: number }>('/panel/api/inbounds/add', {
    enable: true,
    remark: 'first',
    listen: '127.0.0.1',
    port: inboundPort,
    protocol: 'vless',
    settings: { clients: [], decryption: 'none' },
    streamSettings: { network: 'tcp', security: 'none' },
  });
  await api.post('/panel/api/clients/add', { client: { email: 'alice', id: UUID, enable: true }, inboundIds: [id] });
  await waitFor('a served client', () => isServed(inboundPort, UUID, Number(new URL(site.url).port)));
  process.stdout.write(`    from the package to a served client: ${Math.round((Date.now() - startedMs) / 1000)} s\n`);
}, 300_000);

it('runs as its own user, whose data nobody else can read', async () => {
  const { uid, mode } = await stat(data());
  expect(mode & 0o777).toBe(0o700);
  const owners = (await run('ps', ['-eo', 'uid=,args='])).stdout.split('\n');
  const mine = owners.filter((line) => line.includes('/usr/lib/switchyard/') && !line.includes('chroot'));
  expect(mine.length).toBeGreaterThan(1);
  expect(new Set(mine.map((line) => Number(line.trim().split(' ')[0])))).toEqual(new Set([uid]));
  expect(uid).not.toBe(0);
  expect(await inside('switchyard', 'doctor').catch((error: { stdout: string }) => error.stdout)).toContain(
    'The core is',
  );
});

it('has commands that work on the database that the service is given', async () => {
  const file = join(system, 'etc/default/switchyard');
  await writeFile(
    file,
    `# where\nSWITCHYARD_OPTIONS="--port 2053"\nDATABASE_URL="postgres://panel@127.0.0.1:2/panel"\nDATABASE_URL="postgres://panel@127.0.0.1:1/panel"\n`,
  );
  const list = inside('switchyard', 'admin', 'token', 'list');
  await expect(list).rejects.toThrow('127.0.0.1:1');
  await rm(file);
  expect(await inside('switchyard', 'admin', 'token', 'list')).toContain('t1');
});

it('keeps its data over an upgrade, and starts again with them', async () => {
  const wanted = 'etc/systemd/system/multi-user.target.wants/switchyard.service';
  expect((await lstat(join(system, wanted))).isSymbolicLink()).toBe(true);
  // As by `systemctl disable`: the operator's decision outlives the upgrade.
  await rm(join(system, wanted));
  await expect(inside('dpkg', '--install', await spoilt('2'))).rejects.toThrow(/corrupted|decompress|checksum/i);
  expect(await statusOf()).toBe('0.1.0-1 installed');
  await inside('dpkg', '--install', '/root/2.deb');
  expect(existsSync(join(system, wanted))).toBe(false);
  expect(await stop()).toBe(0);
  api = await start();
  expect(await api.get('/panel/api/clients/get/alice')).toMatchObject({ client: { id: UUID } });
  await waitFor('a served client', () => isServed(inboundPort, UUID, Number(new URL(site.url).port)));
});

it('refuses a newer version’s database after a downgrade, in one sentence, and leaves it unchanged', async () => {
  await stop();
  await inside('dpkg', '--install', '--force-downgrade', '/root/1.deb');
  const file = join(data(), 'panel.db');
  const newest = new Database(file);
  newest.pragma('user_version = 99990');
  newest.close();
  const before = await readFile(file);
  const refused = startService();
  expect(await refused.exit).toBe(NOT_WORTH_A_START);
  expect(refused.said()).toContain('The panel cannot start: The database was written by a newer panel');
  expect((await readFile(file)).equals(before)).toBe(true);
});

it('leaves the data behind when it is removed and when it is purged', async () => {
  await inside('apt-get', 'remove', '-yq', 'switchyard');
  expect(existsSync(join(system, 'usr/lib/switchyard'))).toBe(false);
  await mkdir(join(system, 'etc/default'), { recursive: true });
  expect(await inside('dpkg', '--purge', 'switchyard')).toContain('/var/lib/switchyard');
  expect(existsSync(join(data(), 'panel.db'))).toBe(true);
});
