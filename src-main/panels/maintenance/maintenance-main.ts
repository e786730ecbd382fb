import { findParentPort } from '../../../src-server/cli/launch/parent-port.ts';
import { openSealedStore } from '../store/sealed-store.ts';
import { findCore } from '../reachability/find-core.ts';
import type { FromMaintenance, ToMaintenance } from './messages.ts';
import { createWork, type Work } from './task-work.ts';

/** Cores of trials are ended within this time, and this process with them. */
const END_MS = 5_000;
/** How often progress is reported. */
const TELL_MS = 200;

/** The process for long jobs on panels, so that a large backup slows neither the window nor the readings. */
const port = findParentPort();
if (port === null) throw new Error('this process belongs to the desktop application');
const post = (message: FromMaintenance): void => port.post(message);
const running = new Map<number, { ending: AbortController; ended: Promise<void> }>();
let work: Work | null = null;

/** Nothing outlives the application: running tasks are cancelled, and their temporary core ends first. */
async function end(): Promise<void> {
  setTimeout(() => process.exit(0), END_MS).unref();
  for (const { ending } of running.values()) ending.abort(new Error('cancelled'));
  await Promise.all([...running.values()].map(({ ended }) => ended));
  work?.close();
  process.exit(0);
}

function take(message: ToMaintenance): void {
  switch (message.type) {
    case 'open': {
      const { backups, history, dataKey, core } = message;
      work = createWork({
        folder: backups,
        history: openSealedStore(history, Buffer.from(dataKey, 'base64')),
        program: () => findCore(core, process.env),
        clock: Date.now,
      });
      return;
    }
    case 'key':
      return work?.setKey(message.key);
    case 'targets':
      return work?.setTargets(message.targets);
    case 'cancel':
      return running.get(message.id)?.ending.abort(new Error('cancelled'));
    case 'stop':
      return void end();
    default:
      if (work !== null) begin(work, message);
  }
}

function begin(by: Work, { id, request }: Extract<ToMaintenance, { type: 'request' }>): void {
  const ending = new AbortController();
  let sentMs = 0;
  const onProgress = (done: number, total: number): void => {
    const nowMs = performance.now();
    if (nowMs - sentMs < TELL_MS && done < total) return;
    sentMs = nowMs;
    post({ type: 'progress', id, done, total });
  };
  const ended = by
    .run(request, { signal: ending.signal, onProgress })
    .then((result) => post({ type: 'response', id, result }))
    .catch((error: unknown) => {
      const { cause, message } = error as Error;
      const words = message || (cause instanceof Error ? cause.message : String(error));
      post({ type: 'failure', id, words: words.slice(0, 500) });
    })
    .finally(() => running.delete(id));
  running.set(id, { ending, ended });
}

process.on('disconnect', () => void end());
port.onMessage((message) => take(message as ToMaintenance));
post({ type: 'ready' });
