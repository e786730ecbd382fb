import { writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { testFolder } from '../../src-server/testing/for-each-test.ts';
import { externalNode } from './external-node.ts';
import type { FirstAdmin } from './server-runtime.ts';
import type { ServerState } from './state.ts';
import { createSupervisor, type Supervisor } from './supervisor.ts';

const SERVER = join(import.meta.dirname, '../../src-server/main.ts');

let folder: string;
let supervisor: Supervisor | null = null;
let seen: string[] = [];
let admins: FirstAdmin[] = [];
beforeEach(async () => {
  folder = await testFolder();
  seen = [];
  admins = [];
});
afterEach(async () => {
  await supervisor?.stop();
  supervisor = null;
});

function watch(entry: string, args: readonly string[]): Supervisor {
  supervisor = createSupervisor({
    runtime: externalNode(process.execPath, entry),
    argsFor: () => args,
    clock: Date.now,
    random: () => 0,
    isCoreLeft: async () => false,
    onState: (state: ServerState) => seen.push(state.kind),
    onEvent: () => undefined,
    onFirstAdmin: (admin) => admins.push(admin),
    onLine: () => undefined,
  });
  return supervisor;
}

async function watchPanel(): Promise<Supervisor> {
  const socket = join(folder, 'w.sock');
  const args = [`--data-dir=${folder}`, '--listen=127.0.0.1', '--port=0', '--sub-port=0', `--window-socket=${socket}`];
  return watch(SERVER, [...args, '--core=/nonexistent/core']);
}

async function watchScript(source: string): Promise<Supervisor> {
  const entry = join(folder, 'stand-in.mjs');
  await writeFile(entry, source);
  return watch(entry, []);
}
const READY = `process.send({ type: 'ready', place: { pid: process.pid, socket: '', panel: 'http://x/', sub: '' }, firstAdmin: null });`;

/** Status of a call over the private socket. */
function statusOf(socketPath: string, path: string): Promise<number> {
  return new Promise((resolve, reject) => {
    request({ socketPath, path }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    })
      .once('error', reject)
      .end();
  });
}

/** A second panel on the same folder ends for good: it is not restarted. */
async function expectSecondRefused(): Promise<void> {
  const other = createSupervisor({
    runtime: externalNode(process.execPath, SERVER),
    argsFor: () => [`--data-dir=${folder}`, '--port=0', '--sub-port=0', `--window-socket=${join(folder, 'o.sock')}`],
    clock: Date.now,
    random: () => 0,
    isCoreLeft: async () => false,
    onState: () => undefined,
    onEvent: () => undefined,
    onFirstAdmin: () => undefined,
    onLine: () => undefined,
  });
  other.start();
  await expect(other.place()).rejects.toThrow();
  expect(other.state()).toMatchObject({ kind: 'failed', why: 'refused' });
  expect(other.lines().at(-1)).toMatch(/The panel cannot start/);
  await other.stop();
}

describe('with the real panel', () => {
  it('starts it, shows first credentials once, refuses a second panel, restarts after kill -9, stops', async () => {
    const running = await watchPanel();
    running.start();
    const first = await running.place();
    expect(await statusOf(first.socket, '/panel/api/server/status')).toBe(200);
    expect(admins).toEqual([{ username: expect.any(String) as string, password: expect.any(String) as string }]);
    expect(running.lines().join('\n')).not.toContain(admins[0]!.password);
    const link = await running.signInLink();
    expect((await fetch(link ?? '')).status).toBe(200);
    await expectSecondRefused();

    process.kill(first.pid, 'SIGKILL');
    await expect.poll(() => seen).toContain('backingOff');
    const second = await running.place();
    expect(second.pid).not.toBe(first.pid);
    expect(await statusOf(second.socket, '/panel/api/server/status')).toBe(200);
    expect(admins).toHaveLength(1);
    running.tell('suspend');
    running.tell('resume');
    await running.stop();
    expect(() => process.kill(second.pid, 0)).toThrow(/ESRCH/);
    await expect(running.place()).rejects.toThrow(/does not run/);
    expect(seen).toEqual(['starting', 'running', 'backingOff', 'starting', 'running', 'stopping', 'stopped']);
  });
});

describe('with a stub', () => {
  it('stops after three crashes in a row and shows the last output', async () => {
    const running = await watchScript(`console.error('out of luck'); process.exit(1);`);
    running.start();
    await expect.poll(() => running.state().kind, { timeout: 15_000 }).toBe('failed');
    expect(running.state()).toMatchObject({ why: 'crashLoop', lastError: 'out of luck' });
    expect(seen.filter((kind) => kind === 'starting')).toHaveLength(3);
  });

  it('restarts it on request', async () => {
    const running = await watchScript(
      `${READY} process.on('message', (word) => process.exit(word === 'stop' ? 0 : 86));`,
    );
    running.start();
    const { pid } = await running.place();
    running.tell('suspend');
    await expect.poll(() => seen).toEqual(['starting', 'running', 'starting', 'running']);
    expect((await running.place()).pid).not.toBe(pid);
  });

  it('a missing program counts as a crash', async () => {
    supervisor = createSupervisor({
      runtime: externalNode('/nonexistent/node', 'x'),
      argsFor: () => [],
      clock: Date.now,
      random: () => 0,
      isCoreLeft: async () => false,
      onState: (state) => seen.push(state.kind),
      onEvent: () => undefined,
      onFirstAdmin: () => undefined,
      onLine: () => undefined,
    });
    supervisor.start();
    await expect
      .poll(() => supervisor!.state())
      .toMatchObject({ kind: 'backingOff', lastError: expect.stringContaining('ENOENT') as string });
  });
});
