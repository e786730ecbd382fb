import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createApi, type Api } from '../harness/api.ts';
import { debOf, makePackage, openBareDebian, PACKAGES, type BareDebian } from '../harness/bare-debian.ts';
import { freePort } from '../../src-server/testing/free-port.ts';
import { allowPrivateEgress } from '../harness/open-egress.ts';
import { disposePanel, startPanel, type PanelProcess } from '../harness/panel-process.ts';
import { startTargetServer, type TargetServer } from '../harness/target-server.ts';
import { isServed } from '../harness/core/vless-request.ts';
import { waitFor } from '../harness/wait-for.ts';
import { listening, originOf } from '../../src-server/testing/peers/local-server.ts';

/**
 * From a bare host to a managed node, and to newer packages and back: in its own Debian, with signed packages from
 * a server. systemd does not run there; SYSTEMCTL starts the unit's command as its user, the test the update service's.
 */
const UUID = '11111111-2222-4333-8444-555555555555';
const run = promisify(execFile);

/** The unit's output, by start-stop-daemon. */
const SYSTEMCTL = `#!/bin/sh
set -a
. /usr/lib/switchyard/share/release.env
. /etc/default/switchyard
pid=/run/switchyard.pid
case "$1" in
  start)
    start-stop-daemon --start --quiet --oknodo --background --make-pidfile --pidfile $pid --output /run/switchyard.log \\
      --startas /usr/bin/switchyard -- serve $SWITCHYARD_OPTIONS ;;
  stop) start-stop-daemon --stop --quiet --oknodo --retry TERM/20/KILL/5 --remove-pidfile --pidfile $pid ;;
  is-active) start-stop-daemon --status --pidfile $pid ;;
esac
`;

let debian: BareDebian;
let downloads: Server;
let base: string;
let keys: string;
let master: PanelProcess;
let site: TargetServer;
let port: number;
let inboundPort: number;
/** Name of a package that is sent with one byte changed; empty = none. */
let broken = '';

const at = (path: string): string => join(debian.system, path);
const systemctl = (verb: string): Promise<string> => debian.inside('systemctl', verb);
const installed = (): Promise<string> =>
  debian.inside('dpkg-query', '-W', '-f=${Version} ${db:Status-Status}', 'switchyard');
const served = () =>
  waitFor('a served client', () => isServed(inboundPort, UUID, Number(new URL(site.url).port)), 60_000);

beforeAll(async () => {
  keys = await mkdtemp(join(tmpdir(), 'switchyard-keys-'));
  await run('minisign', ['-G', '-W', '-p', join(keys, 'public'), '-s', join(keys, 'secret')]);
  downloads = createServer((request, response) => {
    const name = basename(request.url ?? '');
    readFile(join(PACKAGES, name)).then(
      (bytes) => {
        if (name === broken) bytes[bytes.length >> 1]! ^= 1;
        response.end(bytes);
      },
      () => response.writeHead(404).end(),
    );
  });
  await listening(downloads);
  base = originOf(downloads);
  await rm(PACKAGES, { recursive: true, force: true });
  await makePackage('1', { RELEASE_KEY: join(keys, 'secret'), PANEL_DOWNLOADS: base });
  debian = await openBareDebian();
  await debian.inside('apt-get', 'install', '-yq', '--no-install-recommends', 'curl');
  await writeFile(at('usr/bin/systemctl'), SYSTEMCTL, { mode: 0o755 });
  [site, port, inboundPort, master] = await Promise.all([startTargetServer(), freePort(), freePort(), startPanel()]);
  await mkdir(at('etc/default'), { recursive: true });
  await writeFile(
    at('etc/default/switchyard'),
    `SWITCHYARD_OPTIONS="--listen 127.0.0.1 --port ${port} --sub-port 0"\n`,
  );
}, 900_000);
afterAll(async () => {
  await systemctl('stop').catch(() => '');
  await debian?.dispose();
  if (master !== undefined) await disposePanel(master);
  await site?.close();
  downloads?.close();
  await rm(keys, { recursive: true, force: true });
});

/** Runs the command line from the master's page, on the host. */
const line = (ticket: string): string => `curl -fsSL ${base}/install.sh | sh -s -- --enroll ${ticket}`;

it('goes from a bare host to a managed node with one line', async () => {
  const { ticket } = await master.api.post<{ ticket: string }>('/panel/api/nodes/enrolments/create', { name: 'bare' });
  // A list with another signature installs nothing.
  broken = 'SHA256SUMS';
  await expect(debian.inside('sh', '-c', line(ticket))).rejects.toThrow('not signed with the right key');
  broken = basename(debOf('1'));
  await expect(debian.inside('sh', '-c', line(ticket))).rejects.toThrow('is not what the signed list says');
  broken = '';
  await expect(installed()).rejects.toThrow('no packages found');

  const startedMs = Date.now();
  expect(await debian.inside('sh', '-c', line(ticket))).toContain('This panel is node bare of');
  await systemctl('start');
  const node = await waitFor(
    'the node to connect',
    async () => {
      const [found] =
        await master.api.get<{ id: number; status: string; dialledBy: string }[]>('/panel/api/nodes/list');
      return found?.status === 'online' && found.dialledBy === 'node' && found;
    },
    60_000,
  );
  await allowPrivateEgress(await apiOf());
  const { id } = await master.api.post<{ id: number }>('/panel/api/inbounds/add', {
    enable: true,
    remark: 'far',
    listen: '127.0.0.1',
    port: inboundPort,
    protocol: 'vless',
    nodeId: node.id,
    settings: { clients: [], decryption: 'none' },
    streamSettings: { network: 'tcp', security: 'none' },
  });
  await master.api.post('/panel/api/clients/add', {
    client: { email: 'alice', id: UUID, enable: true },
    inboundIds: [id],
  });
  await served();
  process.stdout.write(`    from the line to a served client: ${Math.round((Date.now() - startedMs) / 1000)} s\n`);
}, 300_000);

async function apiOf(): Promise<Api> {
  const url = `http://127.0.0.1:${port}/`;
  await waitFor(
    'the panel to answer',
    () =>
      fetch(url).then(
        () => true,
        () => false,
      ),
    60_000,
  );
  return createApi(url, (await debian.inside('switchyard', 'admin', 'token', 'create', `t${Date.now()}`)).trim());
}

/** Calls as the page does. */
async function request(): Promise<void> {
  const api = await apiOf();
  await api.post('/panel/api/server/updatePanel', {});
  await waitFor('the request', () =>
    stat(at('var/lib/switchyard/update-request.json')).then(
      () => true,
      () => false,
    ),
  );
}

const updateCommand = (): string[] => [
  'env',
  `PANEL_DOWNLOADS=${base}`,
  '/usr/lib/switchyard/bin/node',
  '/usr/lib/switchyard/dist/server/update.js',
];

/** Runs the update service to its end. */
async function serveRequest(): Promise<{ state: string; message: string }> {
  await debian.inside(...updateCommand()).catch((error: unknown) => expect((error as { code: number }).code).toBe(1));
  return JSON.parse(await readFile(at('var/lib/switchyard/update-status.json'), 'utf8')) as {
    state: string;
    message: string;
  };
}

async function update(): Promise<{ state: string; message: string }> {
  await request();
  return serveRequest();
}

/** Another revision of the built package, signed like the others. @param main its panel, absent = the same */
async function release(revision: string, main?: string): Promise<void> {
  const tree = await mkdtemp(join(tmpdir(), 'switchyard-revision-'));
  await run('dpkg-deb', ['-R', debOf('1'), tree]);
  const control = join(tree, 'DEBIAN/control');
  await writeFile(control, (await readFile(control, 'utf8')).replace('0.1.0-1', `0.1.0-${revision}`));
  if (main !== undefined) await writeFile(join(tree, 'usr/lib/switchyard/dist/server/main.js'), main);
  await run('dpkg-deb', ['--root-owner-group', '-Zgzip', '-z1', '--build', tree, debOf(revision)]);
  await rm(tree, { recursive: true, force: true });
  const names = (await readdir(PACKAGES)).filter((name) => name.endsWith('.deb'));
  await writeFile(join(PACKAGES, 'SHA256SUMS'), (await run('sha256sum', names, { cwd: PACKAGES })).stdout);
  await run('minisign', ['-S', '-s', join(keys, 'secret'), '-m', join(PACKAGES, 'SHA256SUMS')]);
}

/** A panel that migrates the database to its own schema and then exits. */
const SPOILT = `import fs from 'node:fs';
const file = fs.openSync('/var/lib/switchyard/panel.db', 'r+');
fs.writeSync(file, Buffer.from([0, 1, 134, 150]), 0, 4, 60);
process.exit(1);
`;

it('replaces its package when the panel asks for it, and goes on serving', async () => {
  await release('2');
  expect(await update()).toMatchObject({ state: 'success', message: '' });
  expect(await installed()).toBe('0.1.0-2 installed');
  await served();
}, 600_000);

it('changes nothing for a package with one byte changed, and rolls back one that does not come up', async () => {
  await release('3', SPOILT);
  broken = basename(debOf('3'));
  const before = await readFile(at('run/switchyard.pid'), 'utf8');
  expect((await update()).message).toContain('is not what the signed list says');
  expect([await installed(), await readFile(at('run/switchyard.pid'), 'utf8')]).toEqual(['0.1.0-2 installed', before]);
  broken = '';
  const { state, message } = await update();
  expect([state, message]).toEqual(['failed', expect.stringContaining('Version 0.1.0-2 runs again') as string]);
  expect(await installed()).toBe('0.1.0-2 installed');
  await served();
}, 300_000);

it('survives a disk that is full at each step', async () => {
  const mounted = async (folder: string, options: string, work: () => Promise<void>): Promise<void> => {
    await run('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder]);
    try {
      await work();
    } finally {
      await run('umount', [folder]);
    }
  };
  const failed = async (words: string): Promise<void> => {
    const { state, message } = await update();
    expect([state, message]).toEqual(['failed', expect.stringContaining(words) as string]);
    expect(await installed()).toBe('0.1.0-2 installed');
    await served();
  };
  const cache = at('var/cache/switchyard');
  await mkdir(cache, { recursive: true });
  // No space for the packages, and none for the second of them.
  await mounted(cache, 'size=1m', () => failed('MiB of room'));
  await mounted(cache, 'size=4g,nr_inodes=2', () => failed('The disk is full'));
  // None for the note that a repair after a power cut needs.
  await mounted(cache, 'size=4g,nr_inodes=3', () => failed('The disk is full'));
  // None for dpkg's own records.
  const memory = at('var/lib/dpkg');
  await cp(memory, `${memory}.kept`, { recursive: true, preserveTimestamps: true });
  const remembered = (await run('find', [`${memory}.kept`])).stdout.split('\n').length;
  await mounted(memory, `size=1g,nr_inodes=${remembered + 4},mode=0755`, async () => {
    await cp(`${memory}.kept`, memory, { recursive: true, preserveTimestamps: true });
    await failed('Version 0.1.0-2 runs again');
  });
  // None for the copy of the database.
  const copy = at('var/lib/switchyard/before-update');
  await mkdir(copy);
  await mounted(copy, 'size=4k,mode=0777', () => failed('Version 0.1.0-2 runs again'));
  // None for the new files: dpkg stops in the middle.
  const program = at('usr/lib/switchyard');
  await cp(program, `${program}.kept`, { recursive: true });
  await systemctl('stop');
  const files = (await run('find', [`${program}.kept`])).stdout.split('\n').length;
  await mounted(program, `size=4g,nr_inodes=${files + 20},mode=0755`, async () => {
    await cp(`${program}.kept`, program, { recursive: true });
    await systemctl('start');
    await failed('Version 0.1.0-2 runs again');
    await systemctl('stop');
  });
}, 600_000);

it('is completed by the next start when the machine goes down in the middle', async () => {
  await systemctl('start');
  await request();
  const env = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', HOME: '/root' };
  const cut = spawn('chroot', [debian.system, ...updateCommand()], { env, detached: true, stdio: 'ignore' });
  const ended = once(cut, 'exit');
  // The panel is down, and its database copied: the package is being replaced.
  await waitFor('the exchange', () =>
    stat(at('var/lib/switchyard/before-update/panel.db')).then(
      () => true,
      () => false,
    ),
  );
  process.kill(-cut.pid!, 'SIGKILL');
  await ended;
  const { state, message } = await serveRequest();
  expect([state, message]).toEqual(['failed', expect.stringContaining('The update was interrupted.') as string]);
  expect(await installed()).toBe('0.1.0-2 installed');
  await served();
}, 300_000);
