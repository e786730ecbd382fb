import { Worker } from 'node:worker_threads';
import { DomainError } from '../../../contract/domain-error.ts';
import type { KnownStamps, Snapshot } from './snapshot.ts';

/** A response for the thread to parse. */
export interface ThreadRequest {
  id: number;
  body: Uint8Array;
  known: KnownStamps;
}

/** The thread's result. */
export type ThreadResponse = { id: number } & (
  | { snapshot: Snapshot; refused?: undefined }
  | { snapshot?: undefined; refused: { code: string; params: DomainError['params'] } }
);

/** The shared thread ends after this long without a response to parse. */
const IDLE_MS = 60_000;
/** A larger response gets its own thread, so that it does not block those of other nodes. */
const SHARED_BYTES = 2_097_152;

/** Parses responses of nodes, one after another. */
function startThread() {
  const worker = new Worker(new URL('./snapshot-worker.ts', import.meta.url));
  const waiting = new Map<number, { resolve: (response: ThreadResponse) => void; reject: (error: Error) => void }>();
  let nextId = 1;
  let ended: Error | null = null;
  const endWith = (error: Error): void => {
    ended ??= error;
    for (const { reject } of waiting.values()) reject(ended);
    waiting.clear();
  };
  worker.on('message', (response: ThreadResponse) => {
    const request = waiting.get(response.id);
    waiting.delete(response.id);
    if (waiting.size === 0) worker.unref();
    request?.resolve(response);
  });
  worker.on('error', endWith);
  worker.on('exit', () => endWith(new Error('the thread that reads answers of nodes has ended')));
  worker.unref();
  return {
    isEnded: (): boolean => ended !== null,
    /** @param body is empty afterwards. @throws {DomainError} what the response reports */
    async read(body: Buffer, known: KnownStamps): Promise<Snapshot> {
      // Transferred with its memory, so it must not be part of a larger buffer.
      const isWhole = body.buffer instanceof ArrayBuffer && body.buffer.byteLength === body.length;
      const bytes = isWhole ? new Uint8Array(body.buffer) : new Uint8Array(body);
      const { snapshot, refused } = await new Promise<ThreadResponse>((resolve, reject) => {
        const id = nextId++;
        worker.ref();
        waiting.set(id, { resolve, reject });
        worker.postMessage({ id, body: bytes, known } satisfies ThreadRequest, [bytes.buffer]);
      });
      if (refused !== undefined) throw new DomainError(refused.code, { ...refused.params });
      return snapshot;
    },
    end: async (): Promise<void> => void (await worker.terminate()),
  };
}

let shared: { thread: ReturnType<typeof startThread>; idle: NodeJS.Timeout } | null = null;

/**
 * Parses a response to `inbounds/list` outside the main thread. Starting a thread takes longer than parsing the
 * response of a thousand clients, so one is kept while nodes respond.
 * @param body is empty afterwards
 * @throws {DomainError} what the response reports
 */
export async function readInThread(body: Buffer, known: KnownStamps): Promise<Snapshot> {
  if (body.length > SHARED_BYTES) {
    const own = startThread();
    return own.read(body, known).finally(() => void own.end());
  }
  if (shared === null || shared.thread.isEnded()) {
    clearTimeout(shared?.idle);
    const thread = startThread();
    const idle = setTimeout(() => {
      shared = null;
      void thread.end();
    }, IDLE_MS).unref();
    shared = { thread, idle };
  }
  shared.idle.refresh();
  return shared.thread.read(body, known);
}
