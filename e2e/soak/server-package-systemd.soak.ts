import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { debOf, makePackage, openBareDebian, type BareDebian } from '../harness/bare-debian.ts';
import { waitFor } from '../harness/wait-for.ts';

/** The package under systemd itself, in a Debian booted by systemd-nspawn; skipped where that is impossible. */
const run = promisify(execFile);
const BOOT_MS = 60_000;

let debian: BareDebian;
let container: ChildProcess | null = null;
/** Why it is skipped. */
let said = '';
let leader = 0;

/** Runs a command among the processes of the booted system. */
async function inside(...command: string[]): Promise<string> {
  const env = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', DEBIAN_FRONTEND: 'noninteractive', HOME: '/root' };
  const { stdout } = await run('nsenter', ['--target', String(leader), '--all', '--', ...command], { env });
  return stdout.trim();
}
const property = (name: string): Promise<string> => inside('systemctl', 'show', '--value', '-p', name, 'switchyard');
const isReady = (): Promise<boolean> =>
  inside('systemctl', 'is-active', 'switchyard').then(
    () => true,
    () => false,
  );

/** The init process of the booted system: the child of nspawn. */
async function leaderOf(pid: number): Promise<number> {
  const children = (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).trim();
  return Number(children.split(' ')[0]);
}

beforeAll(async () => {
  await makePackage('1');
  debian = await openBareDebian();
  await debian.inside('apt-get', 'install', '-yq', '--no-install-recommends', 'systemd', 'systemd-sysv', 'dbus');
  await debian.inside('apt-get', 'install', '-yq', '--no-install-recommends', 'iproute2', 'adduser', 'ca-certificates');
  await copyFile(debOf('1'), join(debian.system, 'root/1.deb'));
  await run('umount', [join(debian.system, 'proc')]);
  const options = ['--register=no', '--keep-unit', '--boot', '--console=pipe'];
  container = spawn('systemd-nspawn', ['-D', debian.system, ...options], { stdio: ['ignore', 'pipe', 'pipe'] });
  const { pid } = container;
  container.on('error', (error) => (said = error.message));
  for (const stream of [container.stdout, container.stderr])
    stream?.on('data', (chunk: Buffer) => (said += String(chunk)));
  await waitFor(
    'a booted system',
    async () => {
      leader = await leaderOf(pid!);
      return /^(running|degraded)$/.test(
        await inside('systemctl', 'is-system-running').catch((error: { stdout: string }) => error.stdout.trim()),
      );
    },
    BOOT_MS,
    500,
  ).catch(() => (leader = 0));
}, 900_000);
afterAll(async () => {
  if (leader > 0) await inside('systemctl', 'poweroff').catch(() => '');
  if (container !== null && container.exitCode === null) {
    const gone = new Promise((resolve) => container?.once('exit', resolve));
    if (leader === 0) container.kill('SIGKILL');
    await gone;
  }
  // The mounts it removes at the end belong to the folder itself.
  await run('mount', ['-t', 'proc', 'proc', join(debian.system, 'proc')]);
  await debian.dispose();
});

it('is started by systemd, watched, restarted, and stopped cleanly', async ({ skip }) => {
  if (leader === 0) skip(`systemd-nspawn does not boot here: ${said.slice(-300)}`);
  await writeFile(
    join(debian.system, 'etc/default/switchyard'),
    'SWITCHYARD_OPTIONS="--listen 127.0.0.1 --port 29053 --sub-port 0"\n',
  );
  await inside('dpkg', '--install', '/root/1.deb');
  // For a unit of type notify, `start` ends when the panel answers.
  await waitFor('the service', isReady);
  expect(JSON.parse(await inside('switchyard', 'admin', 'user', 'reset'))).toMatchObject({
    password: expect.anything(),
  });
  const status = await inside('cat', `/proc/${await property('MainPID')}/status`);
  expect(status).toMatch(/^NoNewPrivs:\s1$/m);
  // Ports below 1024, ending connections where the container has its own network, and nothing else.
  expect(status).toMatch(/^CapBnd:\s000000000000[01]400$/m);
  expect(await inside('switchyard', 'doctor').catch((error: { stdout: string }) => error.stdout)).toContain(
    'The panel is running.',
  );

  const first = await property('MainPID');
  await inside('systemctl', 'kill', '--signal=KILL', '--kill-whom=main', 'switchyard');
  await waitFor('another start', async () => (await property('MainPID')) !== first && (await isReady()));
  await waitFor('its count', async () => (await property('NRestarts')) === '1');

  // A root unit watches for the panel's requests.
  expect(await inside('systemctl', 'is-active', 'switchyard-update.path')).toBe('active');
  await inside('systemctl', 'stop', 'switchyard');
  expect([await property('Result'), await property('ExecMainStatus')]).toEqual(['success', '0']);
}, 300_000);
