import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Readable } from 'node:stream';
import { DomainError } from '../../contract/domain-error.ts';
import type { Publish } from '../../contract/events.ts';
import type { Logger } from '../../contract/logger.ts';
import { listBackups } from '../../store/backups.ts';
import { writeSealedPart } from '../../store/sealed-part.ts';
import type { Store } from '../../store/open-store.ts';
import type { AutomaticBackup } from './contract.ts';
import { databaseFileName } from './file-name.ts';
import { sqlDump } from './sql-dump.ts';

/** A file that is being sent. */
export interface Download {
  fileName: string;
  /** Null when the size is known only at the end. */
  bytes: number | null;
  body: Readable;
}

interface BackupServiceDeps {
  store: Pick<Store, 'copyTo' | 'dumpTo' | 'backup' | 'backupFolder'>;
  /** The certificate data, sealed with a passphrase. */
  sealKeys: (passphrase: string) => Promise<{ sealed: Buffer; count: number }>;
  clock: () => number;
  log: Logger;
  publish: Publish;
}

const COPY_PREFIX = '.export-';
/** Part of the name of an unfinished backup. */
const UNFINISHED = '.db.unfinished';

/** Copies of the database for operators: a fresh one, one as SQL text, and the automatic backups. */
export async function createBackupService({ store, sealKeys, clock, log, publish }: BackupServiceDeps) {
  const { backupFolder } = store;
  // A panel killed during a download or a backup left its copy behind.
  for (const name of await readdir(backupFolder))
    if (name.startsWith(COPY_PREFIX) || name.includes(UNFINISHED)) await rm(join(backupFolder, name), { force: true });

  async function takeCopy(passphrase = ''): Promise<string> {
    const file = join(backupFolder, `${COPY_PREFIX}${randomUUID()}.db`);
    try {
      await store.copyTo(file);
      if (passphrase !== '') await writeSealedPart(file, (await sealKeys(passphrase)).sealed);
      return file;
    } catch (error) {
      await removeCopy(file);
      throw notTaken(error);
    }
  }

  /** Removes the copy when the stream is closed: sent, aborted or never read. */
  function removedWhenClosed(body: Readable, file: string): Readable {
    return body.once('close', () => {
      removeCopy(file).catch((error: unknown) => log.error('backup.copyLeft', { file, error }));
    });
  }

  async function database(fileName: string, passphrase = ''): Promise<Download> {
    const file = await takeCopy(passphrase);
    const { size } = await stat(file);
    return { fileName, bytes: size, body: removedWhenClosed(createReadStream(file), file) };
  }

  return {
    /**
     * A consistent copy of the live database.
     * @param host from the request, used in the file name.
     * @param passphrase seals the keys of certificates into the copy; without one they are left out
     * @throws {DomainError} `backup.retrieveFailed`
     */
    database: (host: string, passphrase = ''): Promise<Download> =>
      database(databaseFileName(host, clock()), passphrase),

    /**
     * The same in the form used to move between kinds of databases: SQL text, or for a database server, a database
     * file.
     * @throws {DomainError} `backup.retrieveFailed`
     */
    async migration(): Promise<Download> {
      if (store.dumpTo !== null) return database('panel.db');
      const file = await takeCopy();
      return { fileName: 'panel.dump', bytes: null, body: removedWhenClosed(Readable.from(sqlDump(file)), file) };
    },

    /**
     * A new backup for {@link list} that includes the keys of certificates and accounts, sealed with the passphrase.
     * @throws {DomainError} `backup.retrieveFailed`
     */
    async withKeys(passphrase: string): Promise<{ name: string; certificates: number }> {
      const { sealed, count } = await sealKeys(passphrase);
      try {
        const path = await store.backup('certificates', (copy) => writeSealedPart(copy, sealed));
        publish({ type: 'invalidate', resource: 'settings' });
        return { name: basename(path), certificates: count };
      } catch (error) {
        throw notTaken(error);
      }
    },

    /** Newest first. */
    async list(): Promise<AutomaticBackup[]> {
      const found = await listBackups(backupFolder);
      return found.map(({ path, takenAtMs, reason, bytes }) => ({
        name: basename(path),
        takenAt: takenAtMs,
        reason,
        size: bytes,
      }));
    },

    /**
     * One of {@link list}: the name is compared, never used as a path.
     * @throws {DomainError} `backup.unknown`
     */
    async automatic(name: string): Promise<Download> {
      const found = (await listBackups(backupFolder)).find(({ path }) => basename(path) === name);
      if (found === undefined) throw new DomainError('backup.unknown');
      return { fileName: name, bytes: found.bytes, body: createReadStream(found.path) };
    },
  };
}
export type BackupService = Awaited<ReturnType<typeof createBackupService>>;

const notTaken = (error: unknown): DomainError =>
  new DomainError(
    'backup.retrieveFailed',
    { reason: error instanceof Error ? error.message : String(error) },
    { cause: error },
  );

async function removeCopy(file: string): Promise<void> {
  for (const suffix of ['', '-wal', '-shm', '-journal']) await rm(file + suffix, { force: true });
}
