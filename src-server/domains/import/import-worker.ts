import { parentPort, workerData } from 'node:worker_threads';
import type Database from 'better-sqlite3';
import { SEALED_TABLE } from '../../store/sealed-part.ts';
import type { SourceCertificate } from './brought-keys.ts';
import { openScratch } from './scratch.ts';
import { keepCertificates, keepHostSettings } from './host-settings.ts';
import { copyOwnDatabase, isOwnDatabase } from './own-database.ts';
import { takeOver } from './other-panel/take-over.ts';
import { openSource } from './reading/open-source.ts';
import { asRefusal } from './reading/refusal.ts';
import { tablesOf } from './scratch.ts';
import type { BuildReply, BuildRequest } from './build-scratch.ts';

/** A hundred certificates and their accounts take a few hundred KiB. */
const MAX_SEALED_BYTES = 16 * 1024 * 1024;

/** Thread that reads a file into a scratch database: minutes of work for a large one, kept off the event loop. */
async function build(request: BuildRequest): Promise<BuildReply> {
  const { file, postgresFiles, scratchFile, keepsHost, live, own, certificates, nowMs } = request;
  const source = await openSource(file, `${scratchFile}.source`, postgresFiles);
  try {
    const isOwn = isOwnDatabase(tablesOf(source));
    const { plan, secrets } = isOwn
      ? { plan: await copyOwnDatabase(source, scratchFile, nowMs), secrets: [] }
      : await takeOver(source, scratchFile, { keepsHost, own, nowMs });
    if (keepsHost) {
      const { db, finish } = openScratch(scratchFile);
      keepHostSettings(db, new Map(live));
      keepCertificates(db, certificates);
      finish();
      db.close();
    }
    const { sealed, theirs } = isOwn ? keysIn(source) : { sealed: null, theirs: [] };
    return { ok: true, plan: plan.finish(keepsHost ? live.map(([key]) => key) : []), secrets, sealed, theirs };
  } finally {
    source.close();
  }
}

/** The certificate part of a backup. */
function keysIn(source: Database.Database): { sealed: Uint8Array | null; theirs: SourceCertificate[] } {
  const present = tablesOf(source);
  const sealed = present.has(SEALED_TABLE)
    ? source.prepare(`SELECT sealed FROM ${SEALED_TABLE} WHERE length(sealed) <= ${MAX_SEALED_BYTES}`).pluck().get()
    : null;
  const theirs = present.has('certificates')
    ? (source.prepare('SELECT fileId, name FROM certificates').all() as SourceCertificate[])
    : [];
  return { sealed: sealed instanceof Uint8Array ? sealed : null, theirs };
}

build(workerData as BuildRequest).then(
  (reply) => parentPort?.postMessage(reply),
  (error: unknown) =>
    parentPort?.postMessage({
      ok: false,
      reason: asRefusal(error, 'Invalid or corrupt db file').message,
    } satisfies BuildReply),
);
