import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { testFolder } from '../../testing/for-each-test.ts';
import { startLauncher, type Launcher } from './launcher.ts';
import { withPortsOf } from './run-launcher.ts';
import { restartDelayMs } from '../launch/restart-delay.ts';

let folder: string;
let launcher: Launcher | null = null;
beforeEach(async () => {
  folder = await testFolder();
});
afterEach(async () => {
  launcher?.stop();
  await launcher?.done;
  launcher = null;
});

/** Counts its runs in a file, then does what `script` says for this run. */
async function launch(
  script: string,
  options: { stopGraceMs?: number; env?: NodeJS.ProcessEnv; isCoreLeft?: boolean } = {},
) {
  const program = join(folder, 'panel.mjs');
  await writeFile(
    program,
    `import { appendFileSync, readFileSync } from 'node:fs';
     const runs = ${JSON.stringify(join(folder, 'runs'))};
     appendFileSync(runs, process.pid + '\\n');
     const run = readFileSync(runs, 'utf8').trim().split('\\n').length;
     const ready = () => console.log(JSON.stringify({ ready: true, run }));
     const stay = () => setInterval(() => {}, 1000);
     ${script}`,
  );
  const ready: string[] = [];
  const said: string[] = [];
  launcher = startLauncher({
    command: process.execPath,
    argsFor: () => [program],
    env: options.env ?? process.env,
    writeReady: (line) => ready.push(line),
    say: (line) => said.push(line),
    clock: Date.now,
    random: () => 0,
    stopGraceMs: options.stopGraceMs ?? 7000,
    isCoreLeft: async () => options.isCoreLeft === true,
  });
  const pids = async () => {
    const text = await readFile(join(folder, 'runs'), 'utf8').catch(() => '');
    return text.trim().split('\n').filter(Boolean).map(Number);
  };
  return { launcher, ready, said, pids };
}

describe('the launcher', () => {
  it('starts the panel again at once when it asks for that, and passes on only the first ready line', async () => {
    const { launcher, ready, said, pids } = await launch(`ready(); if (run < 3) process.exit(86); stay();`);
    await expect.poll(pids).toHaveLength(3);
    await expect.poll(() => said).toContain('{"ready":true,"run":3}');
    expect(ready).toEqual(['{"ready":true,"run":1}']);
    expect(said).toEqual([
      'The panel restarts.',
      '{"ready":true,"run":2}',
      'The panel restarts.',
      '{"ready":true,"run":3}',
    ]);
    launcher.stop();
    expect(await launcher.done).toBe(0);
  });

  it('starts the panel with the given environment', async () => {
    const script = `console.log(JSON.stringify({ ready: true, pools: process.env.MALLOC_ARENA_MAX })); stay();`;
    const { ready } = await launch(script, { env: { ...process.env, MALLOC_ARENA_MAX: '7' } });
    await expect.poll(() => ready).toEqual(['{"ready":true,"pools":"7"}']);
  });

  it('starts a crashed or killed panel again after a delay', async () => {
    const { ready, said, pids } = await launch(`ready(); if (run === 1) process.kill(process.pid, 'SIGKILL'); stay();`);
    await expect.poll(pids, { timeout: 10_000 }).toHaveLength(2);
    await expect.poll(() => said).toContain('{"ready":true,"run":2}');
    expect(ready).toHaveLength(1);
    expect(said[0]).toBe('The panel ended unexpectedly (SIGKILL); it starts again in 0.8 s.');
  });

  it('treats a restart request before the first answer as a crash, so that it cannot spin', async () => {
    const { said, pids } = await launch(`if (run === 1) process.exit(86); stay();`);
    await expect.poll(pids, { timeout: 10_000 }).toHaveLength(2);
    expect(said).toEqual(['The panel ended unexpectedly (code 86); it starts again in 0.8 s.']);
  });

  it.each([0, 64, 78])('ends with the panel when that ended with %i', async (code) => {
    const { launcher, pids } = await launch(`process.exit(${code});`);
    expect(await launcher.done).toBe(code);
    expect(await pids()).toHaveLength(1);
  });

  it('passes other lines of the panel on, never as the ready line', async () => {
    const { launcher, ready, said } = await launch(
      `console.log('hello'); console.log('{"ready":false}'); console.log('{broken'); console.log('null'); ready(); process.exit(0);`,
    );
    await launcher.done;
    expect(said).toEqual(['hello', '{"ready":false}', '{broken', 'null']);
    expect(ready).toEqual(['{"ready":true,"run":1}']);
  });

  it('stops the panel politely and waits for it', async () => {
    const mark = join(folder, 'stopped');
    const { launcher, ready } = await launch(
      `import('node:fs').then((fs) => {
         process.on('SIGTERM', () => setTimeout(() => { fs.writeFileSync(${JSON.stringify(mark)}, 'x'); process.exit(0); }, 100));
         ready(); stay();
       });`,
    );
    await expect.poll(() => ready).toHaveLength(1);
    launcher.stop();
    expect(await launcher.done).toBe(0);
    expect(await readFile(mark, 'utf8')).toBe('x');
  });

  it('kills a panel that does not stop in time', async () => {
    const { launcher, ready, said, pids } = await launch(`process.on('SIGTERM', () => {}); ready(); stay();`, {
      stopGraceMs: 100,
    });
    await expect.poll(() => ready).toHaveLength(1);
    launcher.stop();
    expect(await launcher.done).toBe(1);
    expect(said).toEqual(['The panel did not stop in time and is ended.']);
    const [pid] = await pids();
    expect(() => process.kill(pid!, 0)).toThrow();
  });

  it('does not start again once told to stop, even during a delay', async () => {
    const { launcher, said, pids } = await launch(`process.exit(1);`);
    await expect.poll(() => said).toHaveLength(1);
    launcher.stop();
    expect(await launcher.done).toBe(0);
    expect(await pids()).toHaveLength(1);
  });

  it('lets the panel end an orphaned core when told to stop during a delay', async () => {
    const { launcher, ready, said, pids } = await launch(
      `if (run === 1) process.exit(1); process.on('SIGTERM', () => process.exit(0)); ready(); stay();`,
      { isCoreLeft: true },
    );
    await expect.poll(() => said).toHaveLength(1);
    launcher.stop();
    expect(await launcher.done).toBe(0);
    expect(await pids()).toHaveLength(2);
    expect(said.slice(1)).toEqual([
      'The core of the panel still runs; its counters are read and it is ended.',
      '{"ready":true,"run":2}',
    ]);
    expect(ready).toEqual([]);
  });

  it('kills that run too when it never answers', async () => {
    const { launcher, said } = await launch(`if (run === 1) process.exit(1); stay();`, {
      isCoreLeft: true,
      stopGraceMs: 100,
    });
    await expect.poll(() => said).toHaveLength(1);
    launcher.stop();
    expect(await launcher.done).toBe(0);
    // It is ended even before its first line runs: on a busy machine it comes no further.
    expect(said.slice(1)).toEqual([
      'The core of the panel still runs; its counters are read and it is ended.',
      'The panel did not stop in time and is ended.',
    ]);
  });

  it('tells the panel when the launcher itself is gone', async () => {
    const stopRequest = JSON.stringify(new URL('../launch/stop-request.ts', import.meta.url).href);
    const launcherUrl = JSON.stringify(new URL('./launcher.ts', import.meta.url).href);
    const reasons = join(folder, 'reasons');
    const panel = join(folder, 'panel.mjs');
    await writeFile(
      panel,
      `import { appendFileSync } from 'node:fs';
       import { onStopRequest } from ${stopRequest};
       onStopRequest((reason) => { appendFileSync(${JSON.stringify(reasons)}, reason + '\\n'); process.exit(0); });
       console.log('{"ready":true}');
       setInterval(() => {}, 1000);`,
    );
    const host = join(folder, 'host.mjs');
    await writeFile(
      host,
      `import { startLauncher } from ${launcherUrl};
       startLauncher({ command: process.execPath, argsFor: () => [${JSON.stringify(panel)}], env: process.env, clock: Date.now,
         random: () => 0, stopGraceMs: 1000, isCoreLeft: async () => false, say() {}, writeReady() { process.kill(process.pid, 'SIGKILL'); } });`,
    );
    await appendFile(reasons, '');
    const outer = startLauncher({
      command: process.execPath,
      argsFor: () => [host],
      env: process.env,
      clock: Date.now,
      random: () => 0,
      stopGraceMs: 1000,
      isCoreLeft: async () => false,
      say: () => {},
      writeReady: () => {},
    });
    await expect.poll(() => readFile(reasons, 'utf8'), { timeout: 10_000 }).toBe('launcher ended\n');
    outer.stop();
    await outer.done;
  });
});

describe('withPortsOf', () => {
  const flags = {
    dataDir: '/d',
    listen: null,
    port: 0,
    subPort: 0,
    core: null,
    logLevel: 'info',
    windowSocket: null,
    restoreBackup: null,
    database: null,
    role: 'all',
  } as const;
  const ready = { ready: true, panel: 'http://127.0.0.1:4001/x/', sub: 'https://[::1]', pid: 1 } as const;

  it('keeps the free ports that the first run found, and leaves named ones alone', () => {
    expect(withPortsOf(ready, flags)).toMatchObject({ port: 4001, subPort: 443 });
    expect(withPortsOf({ ...ready, sub: '' }, { ...flags, port: 5 })).toMatchObject({ port: 5, subPort: 0 });
    expect(withPortsOf(ready, { ...flags, port: null, subPort: null })).toMatchObject({ port: null, subPort: null });
  });
});

describe('restartDelayMs', () => {
  it('doubles from one second to a minute and varies by a quarter', () => {
    expect([1, 2, 3, 7, 1000].map((crashes) => restartDelayMs(crashes, false, 0.5))).toEqual([
      1000, 2000, 4000, 60_000, 60_000,
    ]);
    expect([restartDelayMs(1, false, 0), restartDelayMs(1, false, 1)]).toEqual([750, 1250]);
  });

  it('stays at one second for a panel that was ready before', () => {
    expect([1, 2, 3, 1000].map((crashes) => restartDelayMs(crashes, true, 0.5))).toEqual([1000, 1000, 1000, 1000]);
  });
});
