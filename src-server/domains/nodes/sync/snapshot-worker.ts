import { parentPort } from 'node:worker_threads';
import { DomainError } from '../../../contract/domain-error.ts';
import type { ThreadResponse, ThreadRequest } from './reading-thread.ts';
import { toSnapshot } from './snapshot.ts';

function parse({ id, body, known }: ThreadRequest): ThreadResponse {
  try {
    return { id, snapshot: toSnapshot(Buffer.from(body.buffer).toString(), known) };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return { id, refused: { code: error.code, params: error.params } };
  }
}

/** Columns are transferred to the other thread with their memory. */
function columnsOf({ snapshot }: ThreadResponse): ArrayBuffer[] {
  if (snapshot === undefined) return [];
  const { emailKeys: _, ...columns } = snapshot.counters;
  return Object.values(columns).map(({ buffer }) => buffer as ArrayBuffer);
}

parentPort?.on('message', (request: ThreadRequest) => {
  const reply = parse(request);
  parentPort?.postMessage(reply, columnsOf(reply));
});
