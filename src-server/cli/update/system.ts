import { spawn } from 'node:child_process';
import { request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { UpdateFailure } from './update-failure.ts';

const UNIT = 'switchyard.service';
const LOOK_EVERY_MS = 1_000;
/** Checks in a row that find it down before it counts as failed. */
const DOWN_LOOKS = 5;
/** As long as the unit allows: the database may have to be migrated first. */
const START_WITHIN_MS = 300_000;
/** One that crashes does so at once. */
const WATCHED_MS = 10_000;
const RESPOND_WITHIN_MS = 5_000;

/** @returns its output. @throws {UpdateFailure} with its own message when it fails */
export function run(program: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C' },
    });
    let output = '';
    let complained = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (complained += chunk.toString()));
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0) return resolve(output.trim());
      const last = complained.trim().split('\n').slice(-3).join(' ');
      reject(new UpdateFailure(`${program} ended with exit code ${code}: ${last.replace(/\.?$/, '.')}`));
    });
  });
}

const works = (program: string, args: readonly string[]): Promise<boolean> =>
  run(program, args).then(
    () => true,
    () => false,
  );

/** The installed version according to dpkg; null when the installation is incomplete. */
export async function installedVersion(): Promise<string | null> {
  const [status, version] = (await run('dpkg-query', ['-W', '-f=${db:Status-Status} ${Version}', 'switchyard'])).split(
    ' ',
  );
  return status === 'installed' && version !== undefined ? version : null;
}

/** Release `1.2.0-rc.1` as dpkg writes it: `1.2.0~rc.1`, which is earlier than `1.2.0`. */
export const debianVersion = (version: string): string => version.replace('-', '~');

export const isLater = (one: string, other: string): Promise<boolean> =>
  works('dpkg', ['--compare-versions', one, 'gt', other]);

/** The service, as its manager sees it. */
export function serviceOf(dataDir: string) {
  const isActive = (): Promise<boolean> => works('systemctl', ['is-active', '--quiet', UNIT]);
  const isResponding = (): Promise<boolean> =>
    new Promise((resolve) => {
      const sent = request({ socketPath: join(dataDir, 'panel.sock'), path: '/', timeout: RESPOND_WITHIN_MS });
      sent.once('response', (response) => {
        response.resume();
        resolve(true);
      });
      sent.once('timeout', () => sent.destroy());
      sent.once('error', () => resolve(false));
      sent.end();
    });

  return {
    isActive,
    stop: () => run('systemctl', ['stop', UNIT]),
    /** Waits until it answers, and keeps answering. @throws {UpdateFailure} when it does not */
    async start(): Promise<void> {
      await run('systemctl', ['start', UNIT]);
      const deadlineMs = Date.now() + START_WITHIN_MS;
      let downLooks = 0;
      while (!(await isResponding())) {
        downLooks = (await isActive()) ? 0 : downLooks + 1;
        if (downLooks >= DOWN_LOOKS) throw new UpdateFailure('The panel ended instead of answering.');
        if (Date.now() > deadlineMs) throw new UpdateFailure('The panel does not answer.');
        await sleep(LOOK_EVERY_MS);
      }
      await sleep(WATCHED_MS);
      if (!(await isActive()) || !(await isResponding()))
        throw new UpdateFailure('The panel ended soon after its start.');
    },
  };
}
export type Service = ReturnType<typeof serviceOf>;
