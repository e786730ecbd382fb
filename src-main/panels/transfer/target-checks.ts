import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { transportsIn } from '../reading/inbound-places.ts';
import { readStatus } from '../reading/read-status.ts';
import { toFailure, type PanelCalls } from '../jobs/panel-calls.ts';
import { JobFailure } from '../jobs/job-failure.ts';
import type { PreparedInbound } from './plan-transfer.ts';

/** A restarted core needs a moment. */
const WAIT_MS = 20_000;
const AGAIN_MS = 250;
const CONNECT_MS = 4_000;
const LOOPBACK = /^(?:127\.|::1$|localhost$)/;

/** @throws {JobFailure} unless the panel's core runs */
export async function requireRunningCore(to: PanelCalls, signal: AbortSignal): Promise<void> {
  await until(signal, 'coreNotRunning', async () => {
    const { machine } = await readStatus(to.link).catch((error: unknown) => {
      throw toFailure(error);
    });
    // A panel that does not report it is trusted: it accepted the inbound.
    return machine.coreState === 'running' || machine.coreState === '' ? null : machine.coreError;
  });
}

/** Connects to every new inbound that listens on TCP where this computer can reach it. @throws {JobFailure} */
export async function requireConnections(
  to: PanelCalls,
  inbounds: readonly PreparedInbound[],
  signal: AbortSignal,
): Promise<void> {
  const { host } = to;
  if (host === null) return;
  for (const { source, port } of inbounds)
    if (source.enable && isReachable(source, host))
      await until(signal, 'noConnection', () => failureTo(host, port), { port, address: host });
}

function isReachable({ protocol, listen, settings, streamSettings }: PreparedInbound['source'], host: string): boolean {
  if (!transportsIn(protocol, settings, streamSettings).includes('tcp')) return false;
  if (listen.startsWith('/') || listen.startsWith('@')) return false;
  return !LOOPBACK.test(listen) || LOOPBACK.test(host);
}

function failureTo(host: string, port: number): Promise<string | null> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: CONNECT_MS });
    const end = (words: string | null) => () => {
      socket.destroy();
      resolve(words);
    };
    socket.once('connect', end(null));
    socket.once('timeout', end('timeout'));
    socket.once('error', (error: NodeJS.ErrnoException) => end(error.code ?? error.message)());
  });
}

/** @param failure null = success */
async function until(
  signal: AbortSignal,
  code: 'coreNotRunning' | 'noConnection',
  failure: () => Promise<string | null>,
  params: Record<string, string | number> = {},
): Promise<void> {
  const endMs = performance.now() + WAIT_MS;
  for (;;) {
    const words = await failure();
    if (words === null || signal.aborted) return;
    if (performance.now() > endMs) throw new JobFailure(code, { ...params, words });
    await delay(AGAIN_MS);
  }
}
