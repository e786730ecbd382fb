import { setTimeout as delay } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';

const measure = async (): Promise<number> => {
  const startedAt = performance.now();
  const response = await fetch(workerData as string, { method: 'HEAD', redirect: 'manual' });
  await response.body?.cancel();
  return performance.now() - startedAt;
};

const probe = { isStopped: false };
parentPort?.once('message', () => (probe.isStopped = true));
// So that opening the connection does not count as a wait.
await measure();
let longestMs = 0;
do {
  longestMs = Math.max(longestMs, await measure());
  await delay(2);
} while (!probe.isStopped);
parentPort?.postMessage(longestMs);
