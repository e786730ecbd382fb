import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { recordingLogger } from '../../testing/test-store.ts';
import { describeProcess } from '../process/process-table.ts';
import { clearLeftBehind } from './left-behind.ts';
import { reservePorts, startProbeCore } from './probe-core.ts';

const binary = process.env['CORE_BINARY'] ?? '';

/** A process that starts a temporary core and is killed as soon as that runs. */
const VICTIM = `
  const { startProbeCore } = await import(process.argv[1]);
  const port = Number(process.argv[2]);
  await startProbeCore(
    { inbounds: [{ listen: '127.0.0.1', port, protocol: 'socks' }], outbounds: [{ protocol: 'freedom' }] },
    [port],
    { binary: process.argv[3], env: process.env, folder: process.argv[4], isUnwritten: process.argv[5] === 'unwritten' },
  );
  process.kill(process.pid, 'SIGKILL');
`;

async function startAndDie(port: number, folder: string, how: 'written' | 'unwritten'): Promise<void> {
  const module = new URL('./probe-core.ts', import.meta.url).href;
  const args = ['--input-type=module', '-e', VICTIM, module, String(port), binary, folder, how];
  const [, signal] = (await once(spawn(process.execPath, args), 'exit')) as [unknown, string];
  expect(signal).toBe('SIGKILL');
}

test('a temporary core and its config left by a killed panel are removed; those of this panel stay', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'left-'));
  const { ports, release } = await reservePorts(2);
  await release();
  await startAndDie(ports[0]!, folder, 'written');
  const left = await readdir(folder);
  expect(left).toEqual([expect.stringMatching(/^probe-.*\.json$/)]);
  for (const name of [
    `test-${randomUUID()}.json`,
    `convert-${randomUUID()}.pb`,
    'core-config.json',
    'probe-notes.json',
  ])
    await writeFile(join(folder, name), '{}');
  const longAgo = new Date(Date.now() - 60_000);
  for (const name of await readdir(folder)) await utimes(join(folder, name), longAgo, longAgo);

  const own = await startProbeCore(
    { inbounds: [{ listen: '127.0.0.1', port: ports[1]!, protocol: 'socks' }], outbounds: [{ protocol: 'freedom' }] },
    [ports[1]!],
    { binary, env: process.env, folder },
  );
  if ('failed' in own) throw new Error(own.failed);
  const log = recordingLogger();
  await clearLeftBehind(folder, Date.now() - 10_000, log);
  const pid = log.lines.find(({ event }) => event === 'core.probeLeftBehind')?.fields['pid'] as number;
  expect(await describeProcess(pid)).toBeNull();
  expect(own.endedWith()).toBeNull();
  expect((await readdir(folder)).sort()).toEqual([
    'core-config.json',
    expect.stringMatching(/^probe-.*/),
    'probe-notes.json',
  ]);
  expect(await readdir(folder)).not.toContain(left[0]);
  await own.stop();
  await rm(folder, { recursive: true });
});

test('a temporary core whose config was not written ends with its process, and stopping one ends its guard', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'left-'));
  const { ports, release } = await reservePorts(2);
  await release();
  await startAndDie(ports[0]!, folder, 'unwritten');
  await expect.poll(() => accepts(ports[0]!)).toBe(false);

  const children = (): number => process.getActiveResourcesInfo().filter((kind) => kind === 'ProcessWrap').length;
  const before = children();
  const own = await startProbeCore(
    { inbounds: [{ listen: '127.0.0.1', port: ports[1]!, protocol: 'socks' }], outbounds: [{ protocol: 'freedom' }] },
    [ports[1]!],
    { binary, env: process.env, folder, isUnwritten: true },
  );
  if ('failed' in own) throw new Error(own.failed);
  expect(children()).toBeGreaterThan(before);
  await own.stop();
  await expect.poll(children).toBe(before);
  await rm(folder, { recursive: true });
});

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const end = (isOpen: boolean) => () => {
      socket.destroy();
      resolve(isOpen);
    };
    socket.once('connect', end(true)).once('error', end(false));
  });
}
