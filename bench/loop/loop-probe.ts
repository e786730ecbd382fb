import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/**
 * Asks for the cheapest answer there is again and again: what it waits longer than usual, others held the event loop. In a
 * thread of its own, which does not wait for what the measuring process reads meanwhile.
 */
export function loopProbe(origin: string): { stop: () => Promise<number> } {
  const worker = new Worker(new URL('./loop-probe-worker.ts', import.meta.url), { workerData: origin });
  return {
    /** @returns the longest wait in ms */
    async stop() {
      worker.postMessage('stop');
      const [longestMs] = (await once(worker, 'message')) as [number];
      await worker.terminate();
      return longestMs;
    },
  };
}
