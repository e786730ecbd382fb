import { once } from 'node:events';
import { createWriteStream, openAsBlob } from 'node:fs';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';

export interface Transfer {
  address: string;
  token: string;
  /** File for the response; absent = the file is sent in the form field `db`. */
  toFile?: string;
  fromFile?: string;
}

/**
 * One large download or upload in a thread of its own, so that it does not hold up other measurements.
 * @returns the response's text; empty for a download.
 */
export function transfer(what: Transfer): Promise<string> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL(import.meta.url), { workerData: what });
    worker.once('message', resolve);
    worker.once('error', reject);
  });
}

async function run({ address, token, toFile, fromFile }: Transfer): Promise<string> {
  const headers = { authorization: `Bearer ${token}` };
  if (toFile !== undefined) {
    const response = await fetch(address, { headers });
    const out = createWriteStream(toFile);
    for await (const chunk of response.body!) if (!out.write(chunk)) await once(out, 'drain');
    out.end();
    await once(out, 'finish');
    return '';
  }
  const body = new FormData();
  body.append('db', await openAsBlob(fromFile ?? ''), 'database');
  return (await fetch(address, { method: 'POST', headers, body })).text();
}

if (!isMainThread) parentPort?.postMessage(await run(workerData as Transfer));
