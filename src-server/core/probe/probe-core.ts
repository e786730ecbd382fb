import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import type { JsonObject } from '../config/source.ts';
import { writeConfigFile } from '../process/config-file.ts';
import { reasonOf } from '../process/output/core-text.ts';
import { settlesWithin } from '../process/core-process.ts';
import { endWithParent } from './end-with-parent.ts';
import { FailureLog } from './failure-log.ts';

export interface ProbeCoreOptions {
  binary: string;
  env: NodeJS.ProcessEnv;
  /** Path of its config, readable only by this user. */
  folder: string;
  /** The config is passed without touching the disk, and the core ends with this process. */
  isUnwritten?: boolean;
  signal?: AbortSignal | undefined;
}

/** A separate core for one batch of tests. */
export interface ProbeCore {
  readonly log: FailureLog;
  /** Its last output once it has ended by itself; null while it runs. */
  endedWith(): string | null;
  stop(): Promise<void>;
}

const READY_MS = 10_000;
const POLL_MS = 50;
const POLITE_MS = 2_000;

/** Loopback ports that no other program can take until `release`. */
export async function reservePorts(count: number): Promise<{ ports: number[]; release: () => Promise<void> }> {
  const servers: Server[] = [];
  const release = async (): Promise<void> => {
    await Promise.all(servers.map((server) => new Promise((done) => server.close(done))));
  };
  try {
    for (let index = 0; index < count; index += 1) {
      const server = createServer().listen(0, '127.0.0.1');
      await once(server, 'listening');
      servers.push(server);
    }
  } catch (error) {
    await release();
    throw error;
  }
  const ports = servers.map((server) => {
    const address = server.address();
    return typeof address === 'object' && address !== null ? address.port : 0;
  });
  return { ports, release };
}

/** Starts it and waits until every port accepts. @returns the reason when it does not come up. */
export async function startProbeCore(
  config: JsonObject,
  ports: readonly number[],
  options: ProbeCoreOptions,
): Promise<ProbeCore | { failed: string }> {
  const { isUnwritten = false } = options;
  const path = join(options.folder, `probe-${randomUUID()}.json`);
  if (!isUnwritten) await writeConfigFile(path, config);
  const child = spawn(options.binary, ['run', '-c', isUnwritten ? 'stdin:' : path], {
    cwd: options.folder,
    env: options.env,
    stdio: ['pipe', 'pipe', 'pipe'],
    windowsHide: true,
  });
  // Without a config file to find it by later, it must not outlive this process.
  if (isUnwritten) endWithParent(child);
  // A core that has already ended says why by itself.
  child.stdin.on('error', () => undefined);
  child.stdin.end(isUnwritten ? JSON.stringify(config) : '');
  const log = new FailureLog();
  const state: { ending: string | null } = { ending: null };
  for (const stream of [child.stdout, child.stderr])
    createInterface({ input: stream, crlfDelay: Infinity }).on('line', (line) => log.push(line));
  const ended = new Promise<void>((done) => {
    const finish = (text: string): void => {
      state.ending ??= text;
      done();
    };
    child.once('error', (error) => finish(error.message));
    child.once('close', () => finish(reasonOf(log.last)));
  });
  const stop = async (): Promise<void> => {
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) break;
      child.kill(signal);
      if (await settlesWithin(ended, POLITE_MS)) break;
    }
    await rm(path, { force: true });
  };
  const until = performance.now() + READY_MS;
  const waiting = new Set(ports);
  while (state.ending === null && performance.now() < until && options.signal?.aborted !== true) {
    for (const port of waiting) if (await accepts(port)) waiting.delete(port);
    if (waiting.size === 0) return { log, stop, endedWith: () => state.ending };
    await sleep(POLL_MS);
  }
  const failed = state.ending ?? 'the core did not open its test ports in time';
  await stop();
  return { failed };
}

function accepts(port: number): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect(port, '127.0.0.1');
    const finish = (isOpen: boolean): void => {
      socket.destroy();
      done(isOpen);
    };
    socket.setTimeout(1_000, () => finish(false));
    socket.once('connect', () => finish(true));
    socket.once('error', () => finish(false));
  });
}
