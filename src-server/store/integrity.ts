import { Worker } from 'node:worker_threads';

/**
 * SQLite's own quick check of a database file, in a thread of its own.
 * @returns null when sound, else the first complaint.
 */
export function checkIntegrity(file: string): Promise<string | null> {
  return new Promise((resolve) => {
    const worker = new Worker(new URL('./integrity-worker.ts', import.meta.url), { workerData: { file } });
    worker.once('message', (complaint: string | null) => resolve(complaint));
    worker.once('error', (error: Error) => resolve(error.message));
  });
}
