import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import { DomainError } from '../../../contract/domain-error.ts';
import { printable } from '../response.ts';
import type { NodeClient } from '../node-client.ts';
import type { Probe } from '../stored-types.ts';
import type { RolloutWhat } from './contract.ts';

/** Polling intervals and limits. A panel that replaces itself does not respond meanwhile. */
export interface Patience {
  everyMs: number;
  workMs: number;
  /** How long responses may fail while the node works. */
  silenceMs: number;
  healthMs: number;
}
export const PATIENCE: Patience = { everyMs: 1_000, workMs: 20 * 60_000, silenceMs: 120_000, healthMs: 60_000 };

const LAUNCH_MS = 20_000;
const CALL_MS = 5_000;
const Started = z.object({ jobId: z.string().max(64) });
const StartedRun = z.object({ runId: z.string().max(64) });
const Job = z.object({
  state: z.enum(['running', 'done', 'failed', 'cancelled']),
  error: z.string().max(4_096).catch(''),
  errorCode: z.string().max(64).catch(''),
  errorParams: z.record(z.string().max(64), z.union([z.string().max(1_024), z.number()])).catch({}),
});
const Run = z.object({
  runId: z.string(),
  state: z.enum(['pending', 'success', 'failed']),
  message: z.string().catch(''),
});

export interface Exchange {
  client: NodeClient;
  what: RolloutWhat;
  /** Version of the core. */
  version: string;
  isDev: boolean;
  /** Whether its core ran before: then it must run afterwards too. */
  wasRunning: boolean;
  signal: AbortSignal;
  patience: Patience;
  /** Probes the node and stores the result. */
  probe: () => Promise<Probe>;
  onChecking: () => void;
}

/** Launches the update of a node's panel. */
export const launchPanelUpdate = (isDev: boolean) =>
  ({
    method: 'POST',
    path: 'server/updatePanel',
    ...(isDev ? { body: { dev: true } } : {}),
    timeoutMs: LAUNCH_MS,
  }) as const;

/**
 * Replaces a version on one node and checks its health afterwards: it responds, its core runs, and its version is the
 * requested one. @returns its state. @throws {DomainError} why it failed. @throws the signal's reason
 */
export async function exchangeOn(exchange: Exchange): Promise<Probe> {
  if (exchange.what === 'panel') await updatePanel(exchange);
  else await runJob(exchange);
  exchange.onChecking();
  return healthOf(exchange);
}

async function runJob({ client, what, version, signal, patience }: Exchange): Promise<void> {
  const work = what === 'core' ? `server/installCore/${encodeURIComponent(version)}` : 'server/updateGeofile';
  const { jobId } = await client.call({ method: 'POST', path: work, result: Started, timeoutMs: LAUNCH_MS });
  const path = `jobs/${encodeURIComponent(jobId)}`;
  try {
    await until(patience, signal, patience.workMs, async () => {
      const job = await client.call({ method: 'GET', path, result: Job, timeoutMs: CALL_MS });
      if (job.state === 'failed' || job.state === 'cancelled') throw endedBadly(job);
      return job.state === 'done' ? true : null;
    });
  } catch (error) {
    // The download there is useless now; a node that misses this call ends by itself.
    if (signal.aborted)
      await client
        .call({ method: 'POST', path: `${path}/cancel`, result: z.unknown(), timeoutMs: CALL_MS })
        .catch(ignored);
    throw error;
  }
}

/** The node's own message, with its code if it sends one. */
function endedBadly({ state, error, errorCode, errorParams }: z.output<typeof Job>): DomainError {
  const cause = errorCode === '' ? undefined : new DomainError(errorCode, errorParams);
  return new DomainError('node.rolloutRefused', { text: printable(error || state) }, { cause });
}

async function updatePanel({ client, isDev, signal, patience }: Exchange): Promise<void> {
  const { runId } = await client.call({ ...launchPanelUpdate(isDev), result: StartedRun });
  await until(patience, signal, patience.workMs, async () => {
    const run = await client.call({ method: 'GET', path: 'server/getUpdateStatus', result: Run, timeoutMs: CALL_MS });
    if (run.runId === runId && run.state === 'failed')
      throw new DomainError('node.rolloutRefused', { text: printable(run.message) });
    return run.runId === runId && run.state === 'success' ? true : null;
  });
}

async function healthOf({ what, version, wasRunning, probe, signal, patience }: Exchange): Promise<Probe> {
  let last: Probe | null = null;
  const isWell = (found: Probe): boolean =>
    found.status === 'online' &&
    (!wasRunning || found.coreState === 'running') &&
    (what !== 'core' || found.coreVersion === version.replace(/^v/, ''));
  const deadlineMs = performance.now() + patience.healthMs;
  for (;;) {
    last = await probe();
    if (isWell(last)) return last;
    if (performance.now() >= deadlineMs) break;
    await sleep(patience.everyMs, undefined, { signal });
  }
  if (last.status !== 'online') throw new DomainError('node.rolloutAway', { text: last.lastError });
  const { coreState = '', coreError = '', coreVersion = '' } = last;
  if (wasRunning && coreState !== 'running')
    throw new DomainError('node.rolloutCoreDown', { text: coreError || coreState });
  throw new DomainError('node.rolloutOtherVersion', { found: coreVersion, version });
}

/**
 * Polls until there is a result; tolerates a node that is silent for a while.
 * @throws {DomainError} its refusal, or a timeout. @throws the signal's reason
 */
async function until<T>(
  { everyMs, silenceMs }: Patience,
  signal: AbortSignal,
  withinMs: number,
  poll: () => Promise<T | null>,
): Promise<T> {
  const startMs = performance.now();
  let heardMs = startMs;
  for (;;) {
    signal.throwIfAborted();
    try {
      const result = await poll();
      if (result !== null) return result;
      heardMs = performance.now();
    } catch (error) {
      const isSilent = error instanceof DomainError && SILENT.has(error.code);
      if (!isSilent || performance.now() - heardMs > silenceMs) throw error;
    }
    if (performance.now() - startMs > withinMs) throw new DomainError('node.rolloutSlow');
    await sleep(everyMs, undefined, { signal });
  }
}

/** The panel there is being replaced, or is starting. */
const SILENT = new Set(['node.unreachable', 'node.http', 'node.badAnswer']);

const ignored = (error: unknown): void => {
  if (!(error instanceof DomainError)) throw error;
};
