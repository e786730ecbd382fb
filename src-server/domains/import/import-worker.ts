import { parentPort, workerData } from 'node:worker_threads';
import { openScratch } from './scratch.ts';
import { keepCertificates, keepHostSettings } from './host-settings.ts';
import { copyOwnDatabase, isOwnDatabase } from './own-database.ts';
import { takeOver } from './other-panel/take-over.ts';
import { openSource } from './reading/open-source.ts';
import { asRefusal } from './reading/refusal.ts';
import { tablesOf } from './scratch.ts';
import type { BuildReply, BuildRequest } from './build-scratch.ts';

/** Thread that reads a file into a scratch database: minutes of work on a large one, none of it for the event loop. */
async function build(request: BuildRequest): Promise<BuildReply> {
  const { file, scratchFile, keepsHost, live, own, certificates, nowMs } = request;
  const source = openSource(file, `${scratchFile}.source`);
  try {
    const isOwn = isOwnDatabase(tablesOf(source));
    const { plan, secrets } = isOwn
      ? { plan: await copyOwnDatabase(source, scratchFile), secrets: [] }
      : await takeOver(source, scratchFile, { keepsHost, own, nowMs });
    if (keepsHost) {
      const { db, finish } = openScratch(scratchFile);
      keepHostSettings(db, new Map(live));
      keepCertificates(db, certificates);
      finish();
      db.close();
    }
    return { ok: true, plan: plan.finish(keepsHost ? live.map(([key]) => key) : []), secrets };
  } finally {
    source.close();
  }
}

build(workerData as BuildRequest).then(
  (reply) => parentPort?.postMessage(reply),
  (error: unknown) =>
    parentPort?.postMessage({
      ok: false,
      reason: asRefusal(error, 'Invalid or corrupt db file').message,
    } satisfies BuildReply),
);
