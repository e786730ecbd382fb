import { parentPort, workerData } from 'node:worker_threads';
import { parseBody } from './parse-body.ts';

const { body } = workerData as { body: Uint8Array };
parentPort?.postMessage(parseBody(Buffer.from(body).toString('utf8')));
