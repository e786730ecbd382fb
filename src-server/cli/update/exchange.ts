import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { replaceFile } from '../../durable-files.ts';
import { createDatabaseCopy } from './database-copy.ts';
import { choosePackages, fetchChecked, requireRoom } from './prepare-update.ts';
import type { ReleasedPackage } from './release-list.ts';
import type { ServiceFiles, UpdateRequest } from './service-files.ts';
import { installedVersion, run, type Service } from './system.ts';
import { failureText } from './update-failure.ts';

/** What is needed to undo an exchange after a power cut. */
const Journal = z.object({
  runId: z.string(),
  before: z.object({ version: z.string(), path: z.string() }),
  next: z.object({ version: z.string(), path: z.string() }),
  wasActive: z.boolean(),
  hasCopy: z.boolean(),
  /** The database as a way back that failed has left it; absent = none has. */
  leftStamp: z.string().optional(),
});
type Journal = z.infer<typeof Journal>;

export interface ExchangeDeps {
  dataDir: string;
  /** Owned by root: packages, and the journal. */
  cacheDir: string;
  base: string;
  service: Service;
  files: ServiceFiles;
  say: (line: string) => void;
}

/** Replaces the installed package, and restores the previous one when the new one does not come up. */
export function createExchange({ dataDir, cacheDir, base, service, files, say }: ExchangeDeps) {
  const journalFile = join(cacheDir, 'exchange.json');
  const databaseCopy = createDatabaseCopy(dataDir, files);

  const writeJournal = (journal: Journal): Promise<void> => replaceFile(journalFile, JSON.stringify(journal));

  async function forget(): Promise<void> {
    // Without the journal the other files are useless.
    await rm(journalFile, { force: true });
    await Promise.allSettled([databaseCopy.remove(), rm(cacheDir, { recursive: true, force: true })]);
  }

  const install = (path: string): Promise<string> =>
    run('dpkg', ['--install', '--force-confold', '--force-downgrade', path]);

  async function wayBack(journal: Journal, reason: string): Promise<string> {
    const { before, next, wasActive, hasCopy } = journal;
    say(`Back to ${before.version}: ${reason}`);
    try {
      await service.stop();
      if ((await installedVersion()) !== before.version) await install(before.path);
      if (hasCopy) await databaseCopy.putBack();
      if (wasActive) await service.start();
      await forget();
      return `${reason} Version ${before.version} runs again in the place of ${next.version}.`;
    } catch (error) {
      // Everything needed for another attempt stays: the next start of this program makes it, unless the database is
      // mended and used until then.
      await writeJournal({ ...journal, leftStamp: await databaseCopy.stamp() }).catch((why: unknown) =>
        say(failureText(why)),
      );
      return `${reason} Version ${before.version} was not brought back either: ${failureText(error)}`;
    }
  }

  /** @returns why it failed; empty on success */
  async function exchange(journal: Journal): Promise<string> {
    try {
      await service.stop();
      if (await databaseCopy.make()) {
        journal.hasCopy = true;
        await writeJournal(journal);
      }
      await install(journal.next.path);
      if (journal.wasActive) await service.start();
      await forget();
      return '';
    } catch (error) {
      return wayBack(journal, failureText(error));
    }
  }

  return {
    /**
     * One update, from its request to its end.
     * @param releases the packages that the signed list names
     * @returns why it failed; empty on success
     */
    async run(request: UpdateRequest, releases: readonly ReleasedPackage[]): Promise<string> {
      const { before, next } = await choosePackages(request, releases);
      say(`From ${before.version} to ${next.version}.`);
      await mkdir(cacheDir, { recursive: true, mode: 0o700 });
      try {
        await requireRoom(cacheDir, dataDir);
        const journal: Journal = {
          runId: request.runId,
          before: await fetchChecked(base, before, cacheDir),
          next: await fetchChecked(base, next, cacheDir),
          wasActive: await service.isActive(),
          hasCopy: false,
        };
        await writeJournal(journal);
        return await exchange(journal);
      } catch (error) {
        // Nothing has been changed yet.
        await forget();
        throw error;
      }
    },
    /**
     * Finishes an update interrupted by a power cut. @returns the run and its outcome; null = there was nothing to
     * finish
     */
    async recover(): Promise<{ runId: string; message: string } | null> {
      let journal: Journal;
      try {
        journal = Journal.parse(JSON.parse(await readFile(journalFile, 'utf8')));
      } catch {
        return null;
      }
      const { runId, before, next, wasActive, hasCopy, leftStamp } = journal;
      // Asked before the start below, which writes too.
      const isUsedSince = leftStamp !== undefined && leftStamp !== (await databaseCopy.stamp());
      try {
        const installed = await installedVersion();
        // It was installed by hand since then: the older package and database must not replace it.
        if (installed !== null && installed !== before.version && installed !== next.version) {
          await forget();
          return { runId, message: `The update was interrupted. Version ${installed}, installed since, stays.` };
        }
        // The interruption may have come after the last step.
        if (installed === next.version && wasActive) {
          await service.start();
          await forget();
          return { runId, message: '' };
        }
      } catch (error) {
        say(failureText(error));
      }
      if (hasCopy && isUsedSince && (await databaseCopy.hasOtherSchema())) {
        const message = `The database has been written since the way back to version ${before.version} failed: its copy from before the update stays in ${databaseCopy.folder}.`;
        say(message);
        return { runId, message: `The update was interrupted. ${message}` };
      }
      return { runId, message: await wayBack(journal, 'The update was interrupted.') };
    },
  };
}
