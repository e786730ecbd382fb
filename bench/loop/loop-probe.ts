import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/**
 * Requests the cheapest response again and again: any extra wait means that something else blocked the event loop. It
 * runs in a thread of its own, which is not blocked when the measuring process parses responses.
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
