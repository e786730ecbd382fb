import { spawn, execFile, type ChildProcess } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import Database from 'better-sqlite3';
import { createApi, type Api } from './api.ts';
import { coreBinary } from './core/core-binary.ts';
import { endLeftCores } from './core-figures.ts';
import { freePort } from '../../src-server/testing/free-port.ts';
import { findServer } from '../../src-server/store/postgres/connection/connect.ts';

const RUN = fileURLToPath(new URL('../../src-server/cli/ensure-installed.mjs', import.meta.url));
const ADMIN = fileURLToPath(new URL('../../src-server/cli/admin/admin.ts', import.meta.url));

interface ReadyLine {
  ready: true;
  panel: string;
  sub: string;
  pid: number;
}

export interface PanelProcess {
  dataDir: string;
  url: string;
  ready: ReadyLine;
  api: Api;
  /** The headless launcher; the serving process is `ready.pid`. */
  launcher: ChildProcess;
  stderr(): string;
  /** SIGTERM to the launcher; resolves with its exit code. */
  stop(): Promise<number | null>;
}

/** Runs `npm run admin` for this data folder and returns its stdout. */
export const admin = (dataDir: string, ...args: string[]): Promise<string> => adminWith({}, dataDir, ...args);

/** The same with additional environment variables. */
export async function adminWith(env: Record<string, string>, dataDir: string, ...args: string[]): Promise<string> {
  const options = { env: { ...process.env, ...env } };
  const { stdout } = await promisify(execFile)(process.execPath, [ADMIN, '--data-dir', dataDir, ...args], options);
  return stdout.trim();
}

/** Does the work of `token create`, without the second of processor time that a command costs. */
export function makeToken(dataDir: string): string {
  const token = randomUUID();
  const tokenHash = createHash('sha256').update(token).digest('hex');
  const db = new Database(join(dataDir, 'panel.db'), { fileMustExist: true, timeout: 10_000 });
  db.prepare('INSERT INTO apiTokens (name, tokenHash, createdAtMs, enabled) VALUES (?, ?, ?, 1)').run(
    `e2e-${token}`,
    tokenHash,
    Date.now(),
  );
  db.close();
  return token;
}

/** The same in a database on a server. */
async function makeTokenOn(database: string): Promise<string> {
  const token = randomUUID();
  const { client } = await findServer(database);
  await client.query(
    'INSERT INTO switchyard."apiTokens" (name, "tokenHash", "createdAtMs", enabled) VALUES ($1, $2, $3, 1)',
    [`e2e-${token}`, createHash('sha256').update(token).digest('hex'), Date.now()],
  );
  await client.end();
  return token;
}

export async function newDataDir(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'switchyard-e2e-'));
}

/** Starts the panel where it must refuse to start. @returns its exit code and output */
export async function refusedStart(options: {
  dataDir: string;
  database?: string;
  /** Additional arguments. */
  args?: readonly string[];
  env?: Record<string, string>;
}): Promise<{ code: number | null; stderr: string }> {
  const args = [RUN, 'src-server/cli/serve.ts', '--data-dir', options.dataDir, '--port', '0', '--sub-port', '0'];
  if (options.database !== undefined) args.push('--database', options.database);
  const launcher = spawn(process.execPath, [...args, ...(options.args ?? [])], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, ...options.env },
  });
  let stderr = '';
  launcher.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const [code] = (await once(launcher, 'close')) as [number | null];
  return { code, stderr };
}

/** Starts the headless panel as an operator would and waits for its ready line. */
export async function startPanel(
  options: {
    dataDir?: string;
    /** `postgres://…` instead of the file in the data folder. */
    database?: string;
    port?: number;
    env?: Record<string, string>;
    core?: string | null;
    role?: 'all' | 'panel';
    onReady?: () => void;
    /** As from a shell in a terminal: `process.kill(-launcher.pid, …)` signals all of its processes at once. */
    ownGroup?: boolean;
  } = {},
): Promise<PanelProcess> {
  const dataDir = options.dataDir ?? (await newDataDir());
  const port = options.port ?? (await freePort());
  const subPort = await freePort();
  const args = [
    RUN,
    'src-server/cli/serve.ts',
    '--data-dir',
    dataDir,
    '--listen',
    '127.0.0.1',
    '--port',
    String(port),
    '--sub-port',
    String(subPort),
  ];
  const core = options.core === undefined ? coreBinary() : options.core;
  if (core !== null) args.push('--core', core);
  if (options.database !== undefined) args.push('--database', options.database);
  if (options.role !== undefined) args.push('--role', options.role);
  const launcher = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...options.env },
    detached: options.ownGroup ?? false,
  });
  let stderr = '';
  launcher.stderr.on('data', (chunk: Buffer) => (stderr = (stderr + chunk.toString()).slice(-200_000)));
  const ended = new Promise<number | null>((resolve) => launcher.once('exit', (code) => resolve(code)));
  const ready = await new Promise<ReadyLine>((resolve, reject) => {
    createInterface({ input: launcher.stdout }).once('line', (line) => {
      try {
        resolve(JSON.parse(line) as ReadyLine);
      } catch {
        reject(new Error(`not a ready line: ${line}`));
      }
    });
    void ended.then((code) => reject(new Error(`the panel ended with ${code}\n${stderr.slice(-4000)}`)));
  });
  options.onReady?.();
  const token = options.database === undefined ? makeToken(dataDir) : await makeTokenOn(options.database);
  return {
    dataDir,
    url: ready.panel,
    ready,
    api: createApi(ready.panel, token),
    launcher,
    stderr: () => stderr,
    async stop() {
      launcher.kill('SIGTERM');
      return ended;
    },
  };
}

/** A process that serves only subscriptions, under its launcher. */
export interface SubscriptionProcess {
  /** Its address. */
  url: string;
  /** Id of the serving process. */
  pid: number;
  stderr(): string;
  /** Resolves with the launcher's exit code. */
  readonly ended: Promise<number | null>;
  stop(): Promise<number | null>;
}

/** @param env names the database; the folder need not exist. */
export async function startSubscriptions(dataDir: string, env: Record<string, string>): Promise<SubscriptionProcess> {
  const args = [RUN, 'src-server/cli/serve.ts', '--role', 'subscriptions', '--data-dir', dataDir];
  const launcher = spawn(process.execPath, [...args, '--listen', '127.0.0.1', '--sub-port', '0'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  });
  let stderr = '';
  launcher.stderr.on('data', (chunk: Buffer) => (stderr = (stderr + chunk.toString()).slice(-200_000)));
  const ended = new Promise<number | null>((resolve) => launcher.once('exit', (code) => resolve(code)));
  const ready = await new Promise<ReadyLine>((resolve, reject) => {
    createInterface({ input: launcher.stdout }).once('line', (line) => resolve(JSON.parse(line) as ReadyLine));
    void ended.then((code) => reject(new Error(`the subscription server ended with ${code}\n${stderr.slice(-4000)}`)));
  });
  return {
    url: ready.sub,
    pid: ready.pid,
    stderr: () => stderr,
    ended,
    async stop() {
      launcher.kill('SIGTERM');
      return ended;
    },
  };
}

/** Stops the panel and removes its data folder. */
export async function disposePanel(panel: PanelProcess): Promise<void> {
  await panel.stop();
  await endLeftCores(panel.dataDir);
  await rm(panel.dataDir, { recursive: true, force: true });
}
