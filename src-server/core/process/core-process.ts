import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { openChannel } from '../api/channel.ts';
import type { CoreApi } from '../api/core-api.ts';
import { createCoreApi } from '../api/core-api.ts';
import type { ApiEndpoint } from '../api/endpoint.ts';
import { listenText } from '../api/endpoint.ts';
import { reasonOf } from './output/core-text.ts';
import type { OutputLine } from './output/output-watch.ts';
import { OutputWatch } from './output/output-watch.ts';
import { openOutputFiles } from './output/output-file.ts';
import { removePidFile, writePidFile } from './pid-file.ts';

export interface StartOptions {
  binary: string;
  configPath: string;
  endpoint: ApiEndpoint;
  pidFile: string;
  /** Folder of the files that take its output. */
  outputDir: string;
  cwd: string;
  env: NodeJS.ProcessEnv;
  clock: () => number;
  onLine: (line: OutputLine) => void;
  /** Stops waiting for the API, when the panel is closing. */
  isAborted: () => boolean;
  /**
   * How long a living process may take until its API answers, in ms. Default 15 s: small boards with many clients are
   * slow.
   */
  respondWithinMs?: number;
}

export interface CoreEnd {
  exitCode: number | null;
  signal: NodeJS.Signals | null;
  /** The reason, in the core's words or ours. */
  text: string;
  /** Whether we requested the end. */
  wasRequested: boolean;
  /** How long the API had been answering, in ms; 0 when it never did. */
  respondedForMs: number;
  /** Panic and stack; empty when it did not crash. */
  crashText: string;
}

/** A core process whose API has answered. */
export interface CoreProcess {
  pid: number;
  bootId: string;
  startedAtMs: number;
  endpoint: ApiEndpoint;
  api: CoreApi;
  output: OutputWatch;
  /** Resolves when the process is gone; never rejects. */
  ended: Promise<CoreEnd>;
  /**
   * SIGTERM, 5 s, SIGKILL, 2 s; `firm`: SIGKILL at once, so that nothing moves any more.
   * @throws when the process is still there after that
   */
  stop(manner?: 'polite' | 'firm'): Promise<void>;
}

export type StartResult = { ok: true; core: CoreProcess } | { ok: false; end: CoreEnd; output: OutputWatch };

const POLITE_MS = 5_000;
const FIRM_MS = 2_000;
const PROBE_MS = 20;
/**
 * How long a core may take until it answers: a fixed time, plus more for a larger config (a million users, 82 MB, take
 * it 6 s alone).
 */
const RESPOND_WITHIN_MS = 15_000;
const RESPOND_MS_PER_MB = 500;

/** Starts a core and waits until this very process is proven to answer. Never throws because of the core. */
export async function startCore(options: StartOptions): Promise<StartResult> {
  const { binary, configPath, endpoint, clock } = options;
  const output = new OutputWatch(options.onLine);
  const bootId = randomUUID();
  const startedAtMs = clock();
  const startedAt = performance.now();
  let respondedAt = 0;
  let isRequested = false;
  let hasEnded = false;

  const files = openOutputFiles(options.outputDir, (stream, text) => output.push(stream, text));
  const child = spawn(binary, ['run', '-c', configPath], {
    cwd: options.cwd,
    env: options.env,
    stdio: ['ignore', files.descriptors.stdout, files.descriptors.stderr],
    windowsHide: true,
    // A terminal sends Ctrl+C to all processes of the panel's group; a core that ended with them would take its last
    // counters along.
    detached: process.platform !== 'win32',
  });
  files.handedOver();
  const channel = openChannel(endpoint);
  const ended = new Promise<CoreEnd>((resolve) => {
    const finish = (exitCode: number | null, signal: NodeJS.Signals | null, spawnError = ''): void => {
      if (hasEnded) return;
      hasEnded = true;
      files.close();
      output.finish();
      channel.close();
      removePidFile(options.pidFile);
      const crashText = output.crashText();
      resolve({
        exitCode,
        signal,
        text: spawnError || endText(output, exitCode, signal),
        wasRequested: isRequested,
        respondedForMs: respondedAt === 0 ? 0 : performance.now() - respondedAt,
        crashText,
      });
    };
    child.once('close', (exitCode, signal) => finish(exitCode, signal));
    child.once('error', (error) => {
      if (child.pid === undefined) finish(null, null, `${binary}: ${error.message}`);
    });
  });

  const { pid } = child;
  const api = createCoreApi(channel);

  const stop = async (manner: 'polite' | 'firm' = 'polite'): Promise<void> => {
    isRequested = true;
    for (const [signal, waitMs] of [
      ['SIGTERM', POLITE_MS],
      ['SIGKILL', FIRM_MS],
    ] as const) {
      if (hasEnded) return;
      if (signal === 'SIGTERM' && manner === 'firm') continue;
      child.kill(signal);
      if (await settlesWithin(ended, waitMs)) return;
    }
    throw new Error(`timed out waiting for the core process to stop after ${FIRM_MS / 1000}s`);
  };

  try {
    if (pid !== undefined)
      writePidFile(options.pidFile, { pid, bootId, apiListen: listenText(endpoint), binary, startedAtMs });
  } catch (error) {
    // Without supervision it would stay beside the next one, on the same ports.
    await stop('firm');
    const text = `The core's pid file cannot be written: ${error instanceof Error ? error.message : String(error)}`;
    return { ok: false, output, end: { ...(await ended), wasRequested: false, text } };
  }
  const isResponding = await waitForResponse({
    api,
    endpoint,
    isOver: () => hasEnded || options.isAborted(),
    ageSec: () => (performance.now() - startedAt) / 1000,
    withinMs: options.respondWithinMs ?? timeToRespondMs(configPath),
  });
  if (isResponding && pid !== undefined && !hasEnded) {
    respondedAt = performance.now();
    return { ok: true, core: { pid, bootId, startedAtMs, endpoint, api, output, ended, stop } };
  }
  const isSilent = !hasEnded;
  await stop();
  const end = await ended;
  return {
    ok: false,
    output,
    end: isSilent
      ? { ...end, wasRequested: false, exitCode: null, text: 'The core was started but its API did not answer.' }
      : end,
  };
}

function timeToRespondMs(configPath: string): number {
  const bytes = statSync(configPath, { throwIfNoEntry: false })?.size ?? 0;
  return RESPOND_WITHIN_MS + (bytes / 1e6) * RESPOND_MS_PER_MB;
}

interface Waiting {
  api: CoreApi;
  endpoint: ApiEndpoint;
  isOver: () => boolean;
  ageSec: () => number;
  withinMs: number;
}

/**
 * A response proves the start only when the responding process is no older than our child: a core that waits for a
 * socket lock, or shares a port with an older one, lives as well.
 */
async function waitForResponse({ api, endpoint, isOver, ageSec, withinMs }: Waiting): Promise<boolean> {
  const until = performance.now() + withinMs;
  while (!isOver() && performance.now() < until) {
    // A call waits as long as it may; only the socket shows at once that there is no listener yet.
    if (await accepts(endpoint)) {
      const uptimeSec = await api.uptimeSec(2_000).catch(() => Infinity);
      if (uptimeSec <= ageSec() + 1) return true;
    }
    await sleep(PROBE_MS);
  }
  return false;
}

/** Whether something accepts connections there. */
function accepts(endpoint: ApiEndpoint): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = endpoint.kind === 'unix' ? connect(endpoint.path) : connect(endpoint.port, '127.0.0.1');
    const done = (isOpen: boolean): void => {
      socket.destroy();
      resolve(isOpen);
    };
    socket.setTimeout(1_000, () => done(false));
    socket.once('connect', () => done(true));
    socket.once('error', () => done(false));
  });
}

/** Whether the promise settles in time. */
export async function settlesWithin(promise: Promise<unknown>, waitMs: number): Promise<boolean> {
  const timeout = new AbortController();
  try {
    return await Promise.race([
      promise.then(
        () => true,
        () => true,
      ),
      sleep(waitMs, false, { signal: timeout.signal }),
    ]);
  } finally {
    timeout.abort();
  }
}

function endText(output: OutputWatch, exitCode: number | null, signal: NodeJS.Signals | null): string {
  const headline =
    output.crashHeadline() || output.lines().findLast((line) => line.includes('Failed to start: ')) || '';
  if (headline !== '') return reasonOf(headline);
  if (signal) return `The core was ended by ${signal}.`;
  return exitCode === 0 ? '' : output.lastPlain() || `The core ended with exit code ${exitCode ?? 'unknown'}.`;
}
