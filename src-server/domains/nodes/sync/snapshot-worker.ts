import { parentPort, workerData } from 'node:worker_threads';
import { DomainError } from '../../../contract/domain-error.ts';
import { toSnapshot, type KnownStamps } from './snapshot.ts';
import type { ThreadAnswer } from './read-node.ts';

const { body, known } = workerData as { body: Uint8Array; known: KnownStamps };

function answer(): ThreadAnswer {
  try {
    return { snapshot: toSnapshot(Buffer.from(body.buffer).toString(), known) };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return { refused: { code: error.code, params: error.params } };
  }
}

parentPort?.postMessage(answer());
