import { Worker } from 'node:worker_threads';
import type { ParsedBody } from './parse-body.ts';

/** `parseBody` in a separate thread: a response may have 8 MiB, and nothing else may wait for it. */
export function parseInThread(body: Uint8Array): Promise<ParsedBody> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./outbound-list-worker.ts', import.meta.url), { workerData: { body } });
    worker.once('message', resolve);
    worker.once('error', reject);
  });
}
