import { spawn, spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { describeProcess } from './process-table.ts';

const MODULE = new URL('./process-table.ts', import.meta.url).href;
const SHOW = `process.stdout.write(JSON.stringify(await (await import('${MODULE}')).describeProcess(1)))`;
const isRoot = process.getuid?.() === 0;

test.runIf(process.platform === 'linux')('a process whose executable the system hides exists all the same', () => {
  // The first process belongs to root: another user may not see what it executes.
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', SHOW], {
    ...(isRoot ? { uid: 65_534, gid: 65_534 } : {}),
    encoding: 'utf8',
  });
  expect(JSON.parse(stdout)).toMatchObject({ pid: 1, executable: '', config: '' });
});

const inContainer = (command: string): string[] => ['--fork', '--pid', '--kill-child', 'sh', '-c', command];
const hasContainers = spawnSync('unshare', inContainer('true')).status === 0;

test.runIf(hasContainers)('a core in a container is none of ours, whatever its paths', async () => {
  const script = 'sleep 60 & echo $!; wait';
  const { pid } = spawn('unshare', inContainer(script));
  expect(await describeProcess(pid ?? 0)).toMatchObject({ pid });
  const children = async (): Promise<string> =>
    spawnSync('pgrep', ['-P', String(pid)], { encoding: 'utf8' }).stdout.trim();
  await expect.poll(children).not.toBe('');
  expect(await describeProcess(Number(await children()))).toBeNull();
  process.kill(pid ?? 0, 'SIGKILL');
});
