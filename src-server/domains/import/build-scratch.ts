import { rm } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import type { Access } from '../../store/kept-access.ts';
import type { SourceCertificate } from './brought-keys.ts';
import type { ImportPlan } from './contract.ts';
import type { PostgresFiles } from './reading/file-kind.ts';
import { ImportRefusal } from './reading/refusal.ts';

/** Request to the thread. */
export interface BuildRequest {
  file: string;
  postgresFiles: PostgresFiles;
  /** Created by the thread; must not exist. */
  scratchFile: string;
  /** Whether this machine keeps its own addresses, certificates and identity. */
  keepsHost: boolean;
  /** This panel's machine-specific settings, as stored. */
  live: [key: string, value: string][];
  own: Access;
  /** Rows of this machine's own certificates, whose files are here. */
  certificates: readonly Record<string, string | number>[];
  nowMs: number;
}

export type BuildReply =
  | {
      ok: true;
      plan: ImportPlan;
      secrets: [key: string, value: string][];
      /** Sealed certificate keys in the file; null = none. */
      sealed: Uint8Array | null;
      theirs: SourceCertificate[];
    }
  | { ok: false; reason: string };

const BESIDE = ['.upload', '.source', '.own'];
const SUFFIXES = ['', '-wal', '-shm', '-journal'];

/** Removes a scratch database and everything beside it. */
export async function removeScratch(scratchFile: string): Promise<void> {
  for (const file of [scratchFile, ...BESIDE.map((name) => scratchFile + name)])
    for (const suffix of SUFFIXES) await rm(file + suffix, { force: true });
}

/**
 * Reads a file into a scratch database in a separate thread.
 * @throws {ImportRefusal} with a text for the operator; the scratch database is then removed.
 */
export async function buildScratch(request: BuildRequest): Promise<Extract<BuildReply, { ok: true }>> {
  try {
    const reply = await new Promise<BuildReply>((resolve, reject) => {
      const worker = new Worker(new URL('./import-worker.ts', import.meta.url), { workerData: request });
      worker.once('message', resolve);
      worker.once('error', reject);
      worker.once('exit', (code) => reject(new Error(`the reading thread ended with ${code}`)));
    });
    if (!reply.ok) throw new ImportRefusal(reply.reason);
    for (const name of BESIDE)
      for (const suffix of SUFFIXES) await rm(request.scratchFile + name + suffix, { force: true });
    return reply;
  } catch (error) {
    await removeScratch(request.scratchFile);
    throw error;
  }
}
