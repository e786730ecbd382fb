import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import type { Logger } from '../../../contract/logger.ts';
import { replaceFile } from '../certificate-store.ts';
import { createHookPrograms, HookRecord } from './hook-programs.ts';

/** Shorter limit while the panel stops. */
const STOP_MS = 3_000;

/** DNS records for challenges, added and removed by programs of the machine's owner. */
export function createDnsHooks({ dataDir, log }: { dataDir: string; log: Logger }) {
  const folder = join(dataDir, 'dns-hooks');
  const programs = createHookPrograms({ folder, log });
  const notes = join(dataDir, 'cert', 'dns-records.json');
  /** Records that the panel has added, in order. */
  let present: HookRecord[] = [];
  let isRead = false;

  async function read(): Promise<void> {
    if (isRead) return;
    isRead = true;
    try {
      present = z.array(HookRecord).parse(JSON.parse(await readFile(notes, 'utf8')));
    } catch {
      present = [];
    }
  }

  const note = (): Promise<void> =>
    present.length === 0 ? rm(notes, { force: true }) : replaceFile(notes, JSON.stringify(present));

  /**
   * A record that cannot be removed is only logged: the certificate is valid anyway. Records left for lack of time are
   * removed at the next start.
   */
  async function remove(one: HookRecord, signal: AbortSignal): Promise<void> {
    try {
      await programs.run('remove', one, signal);
    } catch (error) {
      log.warn('certificates.recordStays', { hook: one.hook, record: one.record, error });
      if (signal.aborted) return;
    }
    present = present.filter((other) => other !== one);
    await note();
  }

  return {
    folder,
    isUsable: programs.isUsable,
    list: programs.list,

    /**
     * Adds records; they are noted on disk first, so that after a kill the next start removes them.
     * @returns removes the records
     * @throws {AcmeFailure} `certificate.hook*`: records added so far are removed
     */
    async add(records: readonly HookRecord[], signal: AbortSignal): Promise<() => Promise<void>> {
      await read();
      const added: HookRecord[] = [];
      const removeAll = async (): Promise<void> => {
        // Also runs after a cancel, which may come from the panel's stop and cannot wait long.
        const limit = signal.aborted ? AbortSignal.timeout(STOP_MS) : new AbortController().signal;
        for (const one of added.splice(0)) await remove(one, limit);
      };
      try {
        for (const one of records) {
          present.push(one);
          added.push(one);
          await note();
          await programs.run('add', one, signal);
        }
      } catch (error) {
        await removeAll();
        throw error;
      }
      return removeAll;
    },

    /** Creates the folder, and removes records that a killed panel left. */
    async begin(signal: AbortSignal): Promise<void> {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await read();
      for (const one of present) await remove(one, signal);
    },
  };
}
export type DnsHooks = ReturnType<typeof createDnsHooks>;
