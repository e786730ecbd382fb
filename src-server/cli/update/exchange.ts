import { existsSync, statSync } from 'node:fs';
import { mkdir, open, readFile, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { replaceFile } from '../../durable-files.ts';
import { DATABASE_NAME } from '../../store/open-store.ts';
import { fetchPackage, type ReleasedPackage } from './release-list.ts';
import type { ServiceFiles, UpdateRequest } from './service-files.ts';
import { installedVersion, isLater, run, type Service } from './system.ts';
import { failureText, UpdateFailure } from './update-failure.ts';

/** What is needed to undo an exchange after a power cut. */
const Journal = z.object({
  runId: z.string(),
  before: z.object({ version: z.string(), path: z.string() }),
  next: z.object({ version: z.string(), path: z.string() }),
  wasActive: z.boolean(),
  hasCopy: z.boolean(),
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

/** Needed disk space: both versions, and the unpacked files. */
const ROOM_FACTOR = 3;

/** Replaces the installed package, and restores the previous one when the new one does not come up. */
export function createExchange({ dataDir, cacheDir, base, service, files, say }: ExchangeDeps) {
  const journalFile = join(cacheDir, 'exchange.json');
  const database = join(dataDir, DATABASE_NAME);
  const copy = join(dataDir, 'before-update');

  /** As the service's user, who owns the folder. */
  const asOwner = (program: string, ...args: string[]): Promise<string> =>
    run('setpriv', [`--reuid=${files.uid}`, `--regid=${files.gid}`, '--clear-groups', '--', program, ...args]);

  const writeJournal = (journal: Journal): Promise<void> => replaceFile(journalFile, JSON.stringify(journal));

  async function forget(): Promise<void> {
    // Without the journal the other files are useless.
    await rm(journalFile, { force: true });
    await Promise.allSettled([asOwner('rm', '-rf', copy), rm(cacheDir, { recursive: true, force: true })]);
  }

  /** The newest requested package, and the installed one as the way back. @throws {UpdateFailure} */
  async function choose({ version }: UpdateRequest, releases: readonly ReleasedPackage[]) {
    const present = await installedVersion();
    if (present === null) throw new UpdateFailure('The installed package is not whole: run dpkg --configure -a.');
    const before = releases.find((each) => each.version === present);
    if (before === undefined)
      throw new UpdateFailure(`The signed list does not name ${present}, the present version: there is no way back.`);
    let next: ReleasedPackage = before;
    const isWanted = (each: string) => version === '' || each === version || each.startsWith(`${version}-`);
    for (const each of releases) if (isWanted(each.version) && (await isLater(each.version, next.version))) next = each;
    if (next === before) throw new UpdateFailure(`The signed list names nothing newer than ${present} that is wanted.`);
    return { before, next };
  }

  /** Checks made before anything is changed. @throws {UpdateFailure} */
  async function requireRoom(): Promise<void> {
    const installedBytes = 1024 * Number(await run('dpkg-query', ['-W', '-f=${Installed-Size}', 'switchyard']));
    const databaseBytes = existsSync(database) ? statSync(database).size : 0;
    for (const [folder, neededBytes] of [
      [cacheDir, installedBytes],
      ['/usr', ROOM_FACTOR * installedBytes],
      [dataDir, 2 * databaseBytes],
    ] as const) {
      const { bavail, bsize } = await statfs(folder);
      const needed = Math.ceil(neededBytes / 1024 ** 2);
      if (bavail * bsize < neededBytes) throw new UpdateFailure(`The disk of ${folder} needs ${needed} MiB of room.`);
    }
  }

  /** Also checks that a package contains what its name says. @throws {UpdateFailure} */
  async function fetched(released: ReleasedPackage): Promise<{ version: string; path: string }> {
    const path = await fetchPackage(base, released, cacheDir);
    const facts = await run('dpkg-deb', ['--showformat=${Package} ${Version}', '--show', path]);
    if (facts !== `switchyard ${released.version}`) throw new UpdateFailure(`${released.file} is package ${facts}.`);
    return { version: released.version, path };
  }

  const install = (path: string): Promise<string> =>
    run('dpkg', ['--install', '--force-confold', '--force-downgrade', path]);

  /** The panel is down, so the file is consistent. */
  async function keepDatabase(): Promise<boolean> {
    if (!existsSync(database)) return false;
    await asOwner('rm', '-rf', copy);
    await asOwner('mkdir', '-m', '0700', copy);
    for (const name of [DATABASE_NAME, `${DATABASE_NAME}-wal`])
      if (existsSync(join(dataDir, name)))
        await asOwner('cp', '--reflink=auto', '-p', join(dataDir, name), join(copy, name));
    await asOwner('sync', copy);
    return true;
  }

  /** A database that the newer version has changed opens in no older one. */
  async function bringDatabaseBack(): Promise<void> {
    if ((await schemaOf(database)) === (await schemaOf(join(copy, DATABASE_NAME)))) return;
    for (const name of [DATABASE_NAME, `${DATABASE_NAME}-wal`, `${DATABASE_NAME}-shm`]) {
      await asOwner('rm', '-f', join(dataDir, name));
      if (existsSync(join(copy, name))) await asOwner('mv', join(copy, name), join(dataDir, name));
    }
  }

  async function wayBack(journal: Journal, reason: string): Promise<string> {
    const { before, next, wasActive, hasCopy } = journal;
    say(`Back to ${before.version}: ${reason}`);
    try {
      await service.stop();
      if ((await installedVersion()) !== before.version) await install(before.path);
      if (hasCopy) await bringDatabaseBack();
      if (wasActive) await service.start();
      await forget();
      return `${reason} Version ${before.version} runs again in the place of ${next.version}.`;
    } catch (error) {
      // Everything needed for another attempt stays: the next start of this program makes it.
      return `${reason} Version ${before.version} was not brought back either: ${failureText(error)}`;
    }
  }

  /** @returns why it failed; empty on success */
  async function exchange(journal: Journal): Promise<string> {
    try {
      await service.stop();
      if (await keepDatabase()) {
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
      const { before, next } = await choose(request, releases);
      say(`From ${before.version} to ${next.version}.`);
      await mkdir(cacheDir, { recursive: true, mode: 0o700 });
      try {
        await requireRoom();
        const journal: Journal = {
          runId: request.runId,
          before: await fetched(before),
          next: await fetched(next),
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
      const { runId, next, wasActive } = journal;
      try {
        // The interruption may have come after the last step.
        if ((await installedVersion()) === next.version && wasActive) {
          await service.start();
          await forget();
          return { runId, message: '' };
        }
      } catch (error) {
        say(failureText(error));
      }
      return { runId, message: await wayBack(journal, 'The update was interrupted.') };
    },
  };
}

/** The version of a SQLite file's schema (`user_version`), read from its header. */
async function schemaOf(path: string): Promise<number> {
  const file = await open(path, 'r');
  try {
    const { buffer } = await file.read(Buffer.alloc(4), 0, 4, 60);
    return buffer.readUInt32BE();
  } finally {
    await file.close();
  }
}
