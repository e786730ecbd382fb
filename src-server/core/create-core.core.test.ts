import { spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { CoreStatus } from './core.ts';
import { benchForTest } from '../testing/core/bench-for-test.ts';
import type { Bench } from '../testing/core/core-bench.ts';
import { testFolder } from '../testing/for-each-test.ts';
import { freePort } from '../testing/free-port.ts';
import { client, inbound, makeCertificate, realCore, template, until } from '../testing/core/core-bench.ts';
import { isAlive } from '../testing/is-alive.ts';
import { listening, shut } from '../testing/peers/local-server.ts';
import { productBuilder } from './process/product-builder.ts';
import { readPidFile } from './process/pid-file.ts';

const pidOf = ({ core }: Bench): number => core.status().pid ?? -1;

/** Processes that run with this bench's config. */
function coresOf({ dataDir }: Bench): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(`${dataDir}/core-config.json`);
      } catch {
        return false;
      }
    })
    .map(Number);
}

test('start, stop by hand, restart', async () => {
  const b = benchForTest();
  b.wanted.inbounds.push(inbound(await freePort(), { id: 1, clients: [client('a@x')] }));
  const states: string[] = [];
  b.core.onState((status) => states.push(status.state));
  let reads = 0;
  b.core.onBeforeStop(async () => {
    reads += (await b.core.readCounters()) === null ? 0 : 1;
  });

  await b.core.boot();
  const first = b.core.status();
  expect(first).toMatchObject({
    state: 'running',
    version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
    errorText: '',
    leftOut: [],
  });
  expect(b.core.lastOutput()).toBe('');
  expect(statSync(join(b.dataDir, 'core-config.json')).mode & 0o777).toBe(0o600);
  expect(statSync(join(b.dataDir, 'core-api.sock')).mode & 0o777).toBe(0o600);
  expect((await b.core.readCounters())?.inbounds.names).toEqual(['in-1']);

  await b.core.restart('test');
  expect(b.core.status().state).toBe('running');
  expect(b.core.status().bootId).not.toBe(first.bootId);
  expect(isAlive(first.pid)).toBe(false);

  await b.core.stop();
  expect(b.core.status()).toMatchObject({ state: 'stop', pid: null, bootId: null, errorText: '' });
  expect(b.core.lastOutput()).toContain('Xray');
  expect(await b.core.readCounters()).toBeNull();
  expect(await b.core.onlineUsers()).toBeNull();
  expect(await b.core.apply({ everything: true })).toEqual({ kind: 'notRunning' });
  await expect(b.core.stop()).rejects.toMatchObject({ code: 'core.notRunning' });
  expect(b.timers.armed()).toEqual([]);
  await b.core.restart('again');
  expect(b.core.status().state).toBe('running');
  expect(states).toEqual(['running', 'running', 'stop', 'running']);
  // While it runs, and once more with its last counters.
  expect(reads).toBe(4);
});

test('a proxy named in the environment is not used', async () => {
  const before = process.env.http_proxy;
  process.env.http_proxy = 'http://127.0.0.1:9';
  process.env.grpc_proxy = 'http://127.0.0.1:9';
  try {
    const b = benchForTest();
    await b.core.boot();
    expect(b.core.status().state).toBe('running');
  } finally {
    delete process.env.grpc_proxy;
    if (before === undefined) delete process.env.http_proxy;
    else process.env.http_proxy = before;
  }
});

test('a long data path gets a private folder for the socket', async () => {
  const deep = benchForTest();
  const dataDir = join(deep.dataDir, 'x'.repeat(90));
  mkdirSync(dataDir);
  const b = benchForTest({ dataDir });
  await b.core.boot();
  expect(b.core.status()).toMatchObject({ state: 'running' });
  expect(existsSync(join(dataDir, 'core-api.sock'))).toBe(false);
});

test('a young core that is killed is started again after a pause, one proven at once', async () => {
  const now = vi.spyOn(performance, 'now').mockReturnValue(1_000);
  onTestFinished(() => now.mockRestore());
  const b = benchForTest();
  await b.core.boot();
  const young = b.core.status();
  now.mockReturnValue(2_000);
  process.kill(pidOf(b), 'SIGKILL');
  await until(() => b.core.status().state === 'error', 'crash noticed');
  expect(b.core.status().errorText).toBe('The core was ended by SIGKILL.');
  expect(b.logs.filter(({ event, level }) => event === 'core.crash' && level === 'error')).toHaveLength(1);
  expect(b.timers.armed()).toEqual([500]);
  await b.timers.fire();
  expect(b.core.status().state).toBe('running');
  expect(b.core.status().bootId).not.toBe(young.bootId);
  expect(b.core.status().restarts).toEqual({ count: 1, lastAtMs: expect.any(Number) as number });
  expect(b.core.previousRun()).toMatchObject({
    how: 'The core was ended by SIGKILL.',
    output: expect.stringContaining('started') as string,
  });

  now.mockReturnValue(7_000);
  const proven = pidOf(b);
  process.kill(proven, 'SIGKILL');
  await until(() => b.core.status().state === 'running' && pidOf(b) !== proven, 'started again');
  expect(b.timers.armed()).toEqual([]);
  expect(b.core.status().restarts.count).toBe(2);
  // A panic prints all stacks; they are kept.
  const panicking = pidOf(b);
  now.mockReturnValue(8_000);
  process.kill(panicking, 'SIGQUIT');
  await until(() => b.core.status().state === 'error', 'second crash noticed');
  expect(b.timers.armed()).toEqual([500]);
});

test('after a stop by hand a dead core stays dead', async () => {
  const b = benchForTest();
  await b.core.boot();
  process.kill(pidOf(b), 'SIGKILL');
  await until(() => b.core.status().state === 'error', 'crash noticed');
  await expect(b.core.stop()).rejects.toMatchObject({ code: 'core.notRunning' });
  expect(b.timers.armed()).toEqual([]);
});

/** What a machine does without memory: it kills the process, or gives it none. */
const WITHOUT_MEMORY = { killed: 'kill -9 $$', 'given no memory': 'ulimit -v 300000' };

/** A core that fails at once when it is called with `word`, as on a machine without memory, until it is cured. */
function failingAt(
  word: string,
  folder: string,
  way: keyof typeof WITHOUT_MEMORY = 'killed',
): { binary: string; strike(): void; cure(): void } {
  const [binary, flag] = [join(folder, 'failing-core'), join(folder, 'fails')];
  const fails = `[ -e ${flag} ] && ${WITHOUT_MEMORY[way]}`;
  const script = `#!/bin/sh\ncase "$*" in *${word}*) ${fails} ;; esac\nexec ${realCore()} "$@"\n`;
  writeFileSync(binary, script, { mode: 0o755 });
  return { binary, strike: () => writeFileSync(flag, ''), cure: () => rmSync(flag) };
}

const WAYS = Object.keys(WITHOUT_MEMORY) as (keyof typeof WITHOUT_MEMORY)[];

test.each(WAYS)('a core that is %s when asked for its version is asked again', async (way) => {
  const sick = failingAt('version', await testFolder(), way);
  sick.strike();
  const b = benchForTest({ binary: sick.binary });
  await b.core.boot();
  expect(b.core.status()).toMatchObject({ state: 'error', errorText: expect.stringContaining('busy') });
  expect(b.timers.armed()).toEqual([2_000]);
  sick.cure();
  await b.timers.fire();
  expect(b.core.status()).toMatchObject({ state: 'running', version: expect.stringMatching(/^\d/) });
});

test.each(WAYS)('a test of the config that was %s refuses nothing: the core runs on', async (way) => {
  const sick = failingAt('-test', await testFolder(), way);
  const b = benchForTest({ binary: sick.binary });
  b.wanted.inbounds.push(inbound(await freePort(), { id: 1, clients: [client('a@x')] }));
  await b.core.boot();
  const running = pidOf(b);
  sick.strike();
  await expect(b.core.restart('test')).rejects.toMatchObject({ code: 'core.noVerdict' });
  b.wanted.inbounds.push(inbound(await freePort(), { id: 2, clients: [client('a@x')] }));
  const failed = { kind: 'failed', text: 'its test of the config was killed or lacked memory' };
  expect(await b.core.apply({ inboundIds: [2] })).toEqual(failed);
  expect(await b.core.apply({ everything: true })).toEqual(failed);
  const source = { template: template(), inbounds: [], subscribedOutbounds: { prepend: [], append: [] } };
  await expect(b.core.test(source)).rejects.toMatchObject({ code: 'core.noVerdict' });
  expect(b.core.status()).toMatchObject({ state: 'running', pid: running, leftOut: [] });
  for (let tries = 0; tries < 3; tries += 1) await b.timers.fire();
  expect(pidOf(b)).toBe(running);
  sick.cure();
  await b.timers.fire();
  expect((await b.core.readCounters())?.inbounds.names.sort()).toEqual(['in-1', 'in-2']);
  expect(pidOf(b)).toBe(running);
});

test('a core that is down stays due for its next try when an operator asks meanwhile and the test is killed', async () => {
  const sick = failingAt('-test', await testFolder());
  const b = benchForTest({ binary: sick.binary });
  const good = b.wanted.template;
  b.wanted.template = { ...good, ...UNSTARTABLE };
  await b.core.boot();
  sick.strike();
  await expect(b.core.restart('test')).rejects.toMatchObject({ code: 'core.noVerdict' });
  expect(b.timers.armed()).toEqual([2_000]);
});

test('a refused start whose test of the config is killed says so, and is tried again', async () => {
  const sick = failingAt('-test', await testFolder());
  const b = benchForTest({ binary: sick.binary });
  const certificates = [{ certificateFile: '/nowhere/cert.pem', keyFile: '/nowhere/key.pem' }];
  const streamSettings = { network: 'tcp', security: 'tls', tlsSettings: { certificates } };
  b.wanted.inbounds.push(inbound(await freePort(), { id: 1, streamSettings, clients: [client('a@x')] }));
  sick.strike();
  await b.core.boot();
  expect(b.core.status()).toMatchObject({
    state: 'error',
    errorText: 'its test of the config was killed or lacked memory',
  });
  expect(b.timers.armed()).toEqual([2_000]);
});

test('a core whose pid file cannot be removed ends like others', async () => {
  const b = benchForTest();
  await b.core.boot();
  const file = join(b.dataDir, 'core.pid.json');
  rmSync(file);
  mkdirSync(join(file, 'kept'), { recursive: true });
  await b.core.stop();
  expect(b.core.status()).toMatchObject({ state: 'stop', errorText: '' });
});

test('a core whose pid file cannot be written is ended, and tried again', async () => {
  const b = benchForTest();
  const inTheWay = join(b.dataDir, 'core.pid.json.tmp');
  mkdirSync(inTheWay);
  await b.core.boot();
  expect(b.core.status()).toMatchObject({ state: 'error', errorText: expect.stringContaining('EISDIR') });
  expect(coresOf(b)).toEqual([]);
  rmSync(inTheWay, { recursive: true });
  await b.timers.fire();
  expect(b.core.status()).toMatchObject({ state: 'running' });
});

test('a core that hangs is shown as failed after two minutes, until it answers again', async () => {
  const now = vi.spyOn(performance, 'now').mockReturnValue(1_000);
  onTestFinished(() => now.mockRestore());
  const b = benchForTest();
  const states: string[] = [];
  b.core.onState(({ state }) => states.push(state));
  await b.core.boot();
  const pid = pidOf(b);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  process.kill(pid, 'SIGSTOP');
  for (const ms of [2_000, 121_000, 122_000]) {
    now.mockReturnValue(ms);
    const reading = expect(b.core.readCounters()).rejects.toMatchObject({ code: 'timeout' });
    await vi.advanceTimersByTimeAsync(10_000);
    await reading;
    expect(b.core.status().state).toBe(ms < 122_000 ? 'running' : 'error');
  }
  vi.useRealTimers();
  expect(b.core.status()).toMatchObject({ pid, errorText: expect.stringContaining('Restart it') });
  process.kill(pid, 'SIGCONT');
  await b.core.readCounters();
  expect(b.core.status()).toMatchObject({ state: 'running', errorText: '', pid });
  expect(states).toEqual(['running', 'error', 'running']);
});

/** Starts a core in another panel and kills that panel with SIGKILL: the core lives on. */
async function leaveOrphan({ dataDir }: Bench, ...args: string[]): Promise<CoreStatus> {
  const script = fileURLToPath(new URL('../testing/core/dying-panel.ts', import.meta.url));
  const panel = spawn(process.execPath, [script, dataDir, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(panel.stdout, 'data')) as [Buffer];
  panel.kill('SIGKILL');
  await once(panel, 'exit');
  return JSON.parse(line.toString()) as CoreStatus;
}

/** What is read before each end of a core: the start it counts for, and how many cores exist then. */
function readingsOf(b: Bench): unknown[] {
  const read: unknown[] = [];
  b.core.onBeforeStop(async () => {
    read.push((await b.core.readCounters())?.bootId, coresOf(b).length);
  });
  return read;
}

test('an orphan is read one last time with its own identity, then ended, before a new core starts', async () => {
  const b = benchForTest();
  const old = await leaveOrphan(b);
  expect(coresOf(b)).toEqual([old.pid]);
  const read = readingsOf(b);
  await b.core.boot();
  expect(read).toEqual([old.bootId, 1, old.bootId, 0]);
  expect(coresOf(b)).toEqual([pidOf(b)]);
  expect(b.core.status()).toMatchObject({ state: 'running' });
  expect(b.core.status().bootId).not.toBe(old.bootId);
  expect(readPidFile(join(b.dataDir, 'core.pid.json'))?.pid).toBe(pidOf(b));
});

test('a panel stopped before its core started still reads and ends the orphan', async () => {
  const b = benchForTest();
  const old = await leaveOrphan(b);
  const read = readingsOf(b);
  await b.core.close();
  expect(read).toEqual([old.bootId, 1, old.bootId, 0]);
  await b.core.boot();
  expect(coresOf(b)).toEqual([]);
});

test('an orphan that logs heavily outlives its panel and is read', async () => {
  const b = benchForTest();
  const port = await freePort();
  const old = await leaveOrphan(b, String(port));
  const output = join(b.dataDir, 'logs', 'core.out');
  const before = statSync(output).size;
  // Every refused connection logs a few lines; a core with a broken pipe ends at the first of them.
  for (let round = 0; round < 50; round++) {
    const socket = connect(port, '127.0.0.1', () => socket.end('no such protocol'.repeat(4)));
    await once(
      socket.resume().on('error', () => undefined),
      'close',
    );
  }
  await until(() => statSync(output).size > before + 500, 'the orphan logging');
  expect(coresOf(b)).toEqual([old.pid]);
  const read = readingsOf(b);
  await b.core.boot();
  expect(read).toEqual([old.bootId, 1, old.bootId, 0]);
  expect(coresOf(b)).toEqual([pidOf(b)]);
});

test('an orphan is found without its pid file too, and one that hangs is killed', async () => {
  const b = benchForTest();
  const old = await leaveOrphan(b);
  rmSync(join(b.dataDir, 'core.pid.json'));
  process.kill(old.pid ?? 0, 'SIGSTOP');
  await b.core.boot();
  expect(coresOf(b)).toEqual([pidOf(b)]);
  expect(b.core.status()).toMatchObject({ state: 'running' });
});

test('an orphan that no longer answers is ended without a reading', async () => {
  const b = benchForTest();
  const old = await leaveOrphan(b);
  rmSync(join(b.dataDir, 'core-api.sock'));
  await b.core.boot();
  expect(coresOf(b)).not.toContain(old.pid);
  expect(b.logs.map(({ event }) => event)).toContain('core.orphanSilent');
  expect(b.core.status()).toMatchObject({ state: 'running' });
});

test('an orphan is found when the data folder is now named through a link', async () => {
  const b = benchForTest();
  const old = await leaveOrphan(b);
  const link = join(await testFolder(), 'data');
  symlinkSync(b.dataDir, link);
  const linked = benchForTest({ dataDir: link });
  const read = readingsOf(linked);
  await linked.core.boot();
  expect(read.slice(0, 1)).toEqual([old.bootId]);
  expect(coresOf(b)).toEqual([]);
});

test('programs that only name our config are left alone, and the core of a folder whose path ends like ours', async () => {
  const b = benchForTest();
  const config = join(b.dataDir, 'core-config.json');
  const stranger = spawn('sh', ['-c', 'sleep 60; :', 'xray', 'run', '-c', config]);
  const other = benchForTest({ dataDir: join(await testFolder(), b.dataDir) });
  await other.core.boot();
  await b.core.boot();
  expect([isAlive(stranger.pid ?? null), isAlive(pidOf(other))]).toEqual([true, true]);
  stranger.kill();
});

test('a process that merely reuses the id of the old core is left alone', async () => {
  const b = benchForTest();
  const stranger = spawn('sleep', ['60']);
  writeFileSync(
    join(b.dataDir, 'core.pid.json'),
    JSON.stringify({ pid: stranger.pid, bootId: 'x', apiListen: '/nowhere', binary: realCore(), startedAtMs: 1 }),
  );
  await b.core.boot();
  expect(b.core.status().state).toBe('running');
  expect(isAlive(stranger.pid ?? null)).toBe(true);
  stranger.kill();
});

test('one bad stored inbound does not keep the rest down: at boot, at a restart, and after the file is back', async () => {
  const b = benchForTest();
  const { certificateFile, keyFile } = makeCertificate(b.dataDir);
  const tls = { network: 'tcp', security: 'tls', tlsSettings: { certificates: [{ certificateFile, keyFile }] } };
  const content = readFileSync(certificateFile);
  rmSync(certificateFile);
  b.wanted.inbounds.push(
    inbound(await freePort(), { id: 1, clients: [client('a@x')] }),
    inbound(await freePort(), { id: 2, streamSettings: tls, clients: [client('a@x')] }),
    inbound(await freePort(), { id: 3, clients: [client('a@x')] }),
  );
  await b.core.boot();
  expect(b.core.status()).toMatchObject({
    state: 'running',
    leftOut: [{ kind: 'inbound', name: 'in-2', reason: expect.stringContaining('cert.pem') }],
  });
  expect((await b.core.readCounters())?.inbounds.names.sort()).toEqual(['in-1', 'in-3']);
  await b.core.restart('still bad');
  expect(b.core.status().leftOut).toHaveLength(1);
  writeFileSync(certificateFile, content);
  expect(await b.core.apply({ everything: true })).toEqual({ kind: 'live' });
  expect(b.core.status().leftOut).toEqual([]);
  expect((await b.core.readCounters())?.inbounds.names.sort()).toEqual(['in-1', 'in-2', 'in-3']);
});

test('an inbound that panics the core is found even when the core does not name it', async () => {
  const b = benchForTest({
    builder: {
      ...productBuilder,
      full: async (source, options) => {
        const built = await productBuilder.full(source, options);
        const inbounds = [
          ...(built.config.inbounds as []),
          { tag: 'panics', listen: '', port: 1, protocol: 'vless', settings: { decryption: 'none' } },
        ];
        return { ...built, config: { ...built.config, inbounds } };
      },
    },
  });
  b.wanted.inbounds.push(
    inbound(await freePort(), { id: 1, clients: [client('a@x')] }),
    inbound(await freePort(), { id: 2, clients: [client('a@x')] }),
  );
  await b.core.boot();
  expect(b.core.status()).toMatchObject({
    state: 'running',
    leftOut: [{ kind: 'inbound', name: 'panics', reason: expect.stringContaining('panic') }],
  });
  expect(readdirSync(join(b.dataDir, 'logs')).filter((name) => name.startsWith('core_crash'))).toEqual([
    expect.stringMatching(/^core_crash_\d+\.log$/),
  ]);
});

test('a template the core refuses stops nothing at a restart, and is not retried over and over at boot', async () => {
  const b = benchForTest({
    builder: {
      ...productBuilder,
      full: async (source) => ({ config: { ...source.template }, leftOut: [], warnings: [] }),
    },
  });
  const good = b.wanted.template;
  const bad = { ...good, routing: { rules: [{ balancerTag: 'none', port: 1 }] } };
  const api = {
    tag: 'api',
    listen: `${join(b.dataDir, 'core-api.sock')},0600`,
    services: ['StatsService', 'HandlerService'],
  };
  b.wanted.template = { ...bad, api };
  await b.core.boot();
  expect(b.core.status()).toMatchObject({
    state: 'error',
    errorText: expect.stringContaining('balancer none not found'),
  });
  expect(b.timers.armed()).toEqual([]);
  await expect(b.core.restart('x')).rejects.toMatchObject({ code: 'core.configInvalid' });
  // What it was waiting for: another config.
  b.wanted.template = { ...good, api };
  expect(await b.core.apply({ everything: true })).toEqual({ kind: 'restarted' });
  const running = pidOf(b);
  b.wanted.template = { ...bad, api };
  await expect(b.core.restart('x')).rejects.toMatchObject({
    code: 'core.configInvalid',
    params: { text: expect.stringContaining('balancer none') },
  });
  expect(pidOf(b)).toBe(running);
  expect(isAlive(running)).toBe(true);
});

test('a port held by another program keeps only its own inbound down, until it is free', async () => {
  const b = benchForTest();
  const holder = createServer();
  b.wanted.inbounds.push(
    inbound(await listening(holder), { id: 1, clients: [client('a@x')] }),
    inbound(await freePort(), { id: 2, clients: [client('a@x')] }),
  );
  await b.core.boot();
  expect(b.core.status()).toMatchObject({
    state: 'running',
    leftOut: [{ kind: 'inbound', name: 'in-1', reason: expect.stringContaining('address already in use') }],
  });
  expect(b.timers.armed()).toEqual([30_000]);
  await b.timers.fire();
  expect(b.timers.armed()).toEqual([30_000]);
  await shut(holder);
  await b.timers.fire();
  expect(b.core.status().leftOut).toEqual([]);
  expect((await b.core.readCounters())?.inbounds.names.sort()).toEqual(['in-1', 'in-2']);
  expect(b.timers.armed()).toEqual([]);
});

test('of inbounds with one port number, only the one that cannot listen stays out', async () => {
  const b = benchForTest();
  const [first, second] = [await freePort(), await freePort()];
  const udp = createSocket('udp4').bind(second, '127.0.0.1');
  await once(udp, 'listening');
  onTestFinished(() => void udp.close());
  b.wanted.inbounds.push(
    inbound(first, { id: 1 }),
    inbound(first, { id: 2, listen: '203.0.113.5' }),
    inbound(second, { id: 3 }),
    inbound(second, {
      id: 4,
      protocol: 'shadowsocks',
      settings: { method: 'aes-256-gcm', network: 'udp' },
      clients: [client('a@x', { password: 'secret' })],
    }),
  );
  await b.core.boot();
  expect(
    b.core
      .status()
      .leftOut.map(({ name }) => name)
      .sort(),
  ).toEqual(['in-2', 'in-4']);
  expect((await b.core.readCounters())?.inbounds.names.sort()).toEqual(['in-1', 'in-3']);
  const running = pidOf(b);
  await b.timers.fire();
  expect(pidOf(b)).toBe(running);
  expect(b.timers.armed()).toEqual([30_000]);
});

test('a restart that fails when the old process has ended, as on a full disk, is tried again', async () => {
  const b = benchForTest();
  b.wanted.inbounds.push(inbound(await freePort(), { id: 1 }));
  await b.core.boot();
  const file = join(b.dataDir, 'core-config.json');
  rmSync(file);
  mkdirSync(file);
  await expect(b.core.restart('test')).rejects.toMatchObject({ code: 'core.startFailed' });
  expect(b.core.status()).toMatchObject({ state: 'error', errorText: expect.stringContaining('EISDIR') });
  rmSync(file, { recursive: true });
  await b.timers.fire();
  expect(b.core.status()).toMatchObject({ state: 'running' });
});

test('an inbound that is added where it cannot listen cuts nobody off', async () => {
  const b = benchForTest();
  b.wanted.inbounds.push(inbound(await freePort(), { id: 1 }));
  await b.core.boot();
  const running = pidOf(b);
  b.wanted.inbounds.push(inbound(await freePort(), { id: 2, listen: '203.0.113.5' }));
  const failed = { kind: 'failed', text: expect.stringContaining('cannot assign requested address') };
  expect(await b.core.apply({ inboundIds: [2] })).toEqual(failed);
  expect(await b.core.apply({ everything: true })).toEqual(failed);
  expect(b.core.status().leftOut).toMatchObject([{ kind: 'inbound', name: 'in-2' }]);
  expect(pidOf(b)).toBe(running);
});

const onSocket = (id: number, listen: string) => inbound(0, { id, listen, clients: [client('a@x')] });

test('the socket of an inbound is no obstacle after a core that ended without removing it', async () => {
  const b = benchForTest();
  const path = join(b.dataDir, 'in.sock');
  b.wanted.inbounds.push(onSocket(1, `${path},0660`), inbound(await freePort(), { id: 2 }));
  await b.core.boot();
  process.kill(pidOf(b), 'SIGKILL');
  await until(() => b.core.status().state === 'error', 'crash noticed');
  expect(statSync(path).isSocket()).toBe(true);
  await b.core.restart('test');
  expect(b.core.status()).toMatchObject({ state: 'running', leftOut: [] });

  // Left by a core that did not have the inbound any more when it was added again.
  const [first, ...others] = b.wanted.inbounds;
  b.wanted.inbounds = others;
  process.kill(pidOf(b), 'SIGKILL');
  await until(() => b.core.status().state === 'error', 'crash noticed');
  await b.core.restart('test');
  expect(existsSync(path)).toBe(true);
  b.wanted.inbounds.push(first!);
  expect(await b.core.apply({ inboundIds: [1] })).toEqual({ kind: 'live' });
  expect((await b.core.readCounters())?.inbounds.names.sort()).toEqual(['in-1', 'in-2']);
});

test('of inbounds on one socket, as an import can bring them, one runs', async () => {
  const b = benchForTest();
  const path = join(b.dataDir, 'in.sock');
  const ofTemplate = { tag: 'by-hand', listen: path, protocol: 'vless', settings: { clients: [], decryption: 'none' } };
  b.wanted.template = { ...b.wanted.template, inbounds: [ofTemplate] };
  b.wanted.inbounds.push(onSocket(1, `${path},0660`), inbound(await freePort(), { id: 2 }));
  const taken = expect.stringContaining(`${path}: bind: address already in use`);
  await b.core.boot();
  const { state, leftOut } = b.core.status();
  expect({ state, leftOut }).toEqual({
    state: 'running',
    leftOut: [{ kind: 'inbound', name: 'in-1', reason: taken }],
  });
  // When they come together while the core runs.
  const [first, second] = [join(b.dataDir, 'a.sock'), join(b.dataDir, 'a.sock,0600')];
  b.wanted.inbounds.push(onSocket(3, first), onSocket(4, second));
  const running = pidOf(b);
  expect(await b.core.apply({ everything: true })).toEqual({ kind: 'failed', text: taken });
  expect(
    b.core
      .status()
      .leftOut.map(({ name }) => name)
      .sort(),
  ).toEqual(['in-1', 'in-4']);
  expect(pidOf(b)).toBe(running);
});

test('a socket that cannot be listened on keeps only its own inbound down', async () => {
  const b = benchForTest();
  const holder = createServer();
  const path = join(b.dataDir, 'held.sock');
  holder.listen(path);
  await once(holder, 'listening');
  onTestFinished(() => shut(holder));
  b.wanted.inbounds.push(
    onSocket(1, path),
    onSocket(2, join(b.dataDir, 'no-such-folder', 'in.sock')),
    inbound(await freePort(), { id: 3 }),
  );
  await b.core.boot();
  expect(b.core.status()).toMatchObject({
    state: 'running',
    leftOut: [
      { kind: 'inbound', name: 'in-1', reason: expect.stringContaining('address already in use') },
      { kind: 'inbound', name: 'in-2', reason: expect.stringContaining('no such file or directory') },
    ],
  });
  expect(b.timers.armed()).toEqual([30_000]);
  const running = pidOf(b);
  await shut(holder);
  await b.timers.fire();
  expect(b.core.status().leftOut.map(({ name }) => name)).toEqual(['in-2']);
  expect(pidOf(b)).toBe(running);
});

test('a taken metrics port moves the metrics and the core starts all the same', async () => {
  const b = benchForTest();
  const holder = createServer();
  const port = await listening(holder);
  b.wanted.template = { ...b.wanted.template, metrics: { tag: 'metrics_out', listen: `127.0.0.1:${port}` } };
  await b.core.boot();
  expect(b.core.status()).toMatchObject({ state: 'running', errorText: '' });
  const listen = b.core.metricsListen() ?? '';
  expect(listen).toMatch(/^127\.0\.0\.1:\d+$/);
  expect(listen).not.toBe(`127.0.0.1:${port}`);
  const response = await fetch(`http://${listen}/debug/vars`);
  expect(Object.keys((await response.json()) as object)).toContain('memstats');
  expect(await b.core.apply({ everything: true })).toEqual({ kind: 'unchanged' });
  expect(b.core.reservedPorts()).toEqual([{ port: Number(listen.split(':')[1]), use: 'core metrics' }]);
  await shut(holder);
});

test('cores that start at the same time with one metrics port all run at once', async () => {
  const port = await freePort();
  const metrics = { tag: 'metrics_out', listen: `127.0.0.1:${port}` };
  const benches = Array.from({ length: 3 }, () => benchForTest());
  for (const { wanted } of benches) wanted.template = { ...wanted.template, metrics };
  await Promise.all(benches.map(({ core }) => core.boot()));
  for (const { core, timers } of benches) {
    expect(core.status()).toMatchObject({ state: 'running', errorText: '', leftOut: [] });
    expect(timers.armed()).toEqual([]);
    expect(await core.apply({ everything: true })).toEqual({ kind: 'unchanged' });
  }
  expect(new Set(benches.map(({ core }) => core.metricsListen())).size).toBe(3);
});

/** Passes the core's own test, and fails the start before anything listens. */
const UNSTARTABLE = { fakedns: [{ ipPool: 'no network', poolSize: 10 }] };

test('a start that cannot succeed now is retried at growing intervals', async () => {
  const b = benchForTest();
  const good = b.wanted.template;
  b.wanted.template = { ...good, ...UNSTARTABLE };
  await b.core.boot();
  expect(b.core.status()).toMatchObject({ state: 'error', errorText: expect.stringContaining('no network') });
  expect(b.timers.armed()).toEqual([2_000]);
  await b.timers.fire();
  expect(b.timers.armed()).toEqual([4_000]);
  b.wanted.template = good;
  await b.timers.fire();
  expect(b.core.status().state).toBe('running');
  expect(b.timers.armed()).toEqual([]);
});

test('a change that may cure a failed start does not wait for the next try; one of clients does', async () => {
  const b = benchForTest();
  const good = b.wanted.template;
  b.wanted.template = { ...good, ...UNSTARTABLE };
  await b.core.boot();
  b.wanted.template = good;
  expect(await b.core.apply({ users: [{ inboundId: 1, emails: ['a@x'] }] })).toEqual({ kind: 'notRunning' });
  expect(b.timers.armed()).toEqual([2_000]);
  expect(await b.core.apply({ everything: true })).toEqual({ kind: 'restarted' });
  expect(b.core.status().state).toBe('running');
  expect(b.timers.armed()).toEqual([]);
});

test('without a usable executable the panel goes on and says what to do', async () => {
  const none = benchForTest({ binary: '', env: { PATH: '' } });
  await none.core.boot();
  expect(none.core.status()).toMatchObject({
    state: 'error',
    version: 'Unknown',
    errorText: expect.stringContaining('npm run core'),
  });
  expect(await none.core.apply({ everything: true })).toEqual({ kind: 'notRunning' });
  expect(
    await none.core.test({ template: template(), inbounds: [], subscribedOutbounds: { prepend: [], append: [] } }),
  ).toEqual({ ok: true, text: '' });
  await expect(none.core.restart('x')).rejects.toMatchObject({ code: 'core.notInstalled' });

  const path = join(none.dataDir, 'other');
  const textOf = async (content: string | Uint8Array, mode: number): Promise<string> => {
    rmSync(path, { force: true });
    writeFileSync(path, content);
    chmodSync(path, mode);
    const b = benchForTest({ binary: path });
    await b.core.boot();
    return b.core.status().errorText;
  };
  expect(await textOf('#!/bin/sh\n', 0o644)).toContain('not executable');
  expect(await textOf('#!/bin/sh\necho "Xray 26.3.27 (old) x"\n', 0o755)).toMatch(
    /version 26\.3\.27; at least 26\.6\.27/,
  );
  expect(await textOf('#!/bin/sh\necho hello\n', 0o755)).toContain('did not answer like a core');
  expect(
    await textOf(Buffer.concat([Buffer.from('\x7fELF\x02\x01\x01', 'latin1'), Buffer.alloc(64, 1)]), 0o755),
  ).toContain('another system');
});

test("test() reports the core's verdict without touching the running core", async () => {
  const b = benchForTest();
  await b.core.boot();
  const pid = pidOf(b);
  const source = { template: template(), inbounds: [], subscribedOutbounds: { prepend: [], append: [] } };
  expect(await b.core.test(source)).toEqual({ ok: true, text: '', warnings: [] });
  const bad = { ...source, template: { ...template(), outbounds: [{ tag: 'o', protocol: 'vless', settings: {} }] } };
  const verdict = await b.core.test(bad);
  expect(verdict.ok).toBe(false);
  expect(verdict.text).toContain('outbound');
  expect(verdict.text).not.toContain(b.dataDir);
  expect(pidOf(b)).toBe(pid);
  expect(readdirSync(b.dataDir).filter((name) => name.startsWith('test-'))).toEqual([]);
});

test("the panel's own egress works, on the next port when another program has the first", async () => {
  const b = benchForTest();
  const holder = createServer();
  const taken = await listening(holder);
  onTestFinished(() => shut(holder));
  b.wanted.bridges.push({ tag: 'panel-egress', firstPort: taken, target: 'direct' });
  await b.core.boot();
  const port = b.core.bridgePort('panel-egress');
  expect(port).toBeGreaterThan(taken);
  expect(b.core.bridgePort('node-egress-1')).toBeNull();
  expect(b.core.reservedPorts()).toContainEqual({ port, use: 'panel-egress' });
  expect(await b.core.apply({ everything: true })).toEqual({ kind: 'unchanged' });
  expect((await b.core.readCounters())?.inbounds.names).toEqual([]);
});

test('helper commands run with the environment of the core', async () => {
  const b = benchForTest();
  expect(await b.core.runCoreCommand(['uuid'])).toMatchObject({
    exitCode: 0,
    stdout: expect.stringMatching(/^[0-9a-f-]{36}\s*$/),
  });
  expect(await b.core.runCoreCommand(['x25519', '-i', 'bad'])).toMatchObject({ timedOut: false });
});

test('a final read that hangs or asks for changes does not hold up the end', async () => {
  const b = benchForTest();
  b.wanted.inbounds.push(inbound(await freePort(), { id: 1, clients: [client('a@x')] }));
  const results: unknown[] = [];
  b.core.onBeforeStop(async () => {
    results.push(await b.core.apply({ users: [{ inboundId: 1, emails: ['a@x'] }] }));
  });
  await b.core.boot();
  await b.core.close();
  expect(results).toEqual([{ kind: 'notRunning' }, { kind: 'notRunning' }]);
  expect(coresOf(b)).toEqual([]);
  expect(existsSync(join(b.dataDir, 'core.pid.json'))).toBe(false);
});
