import { existsSync } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DATABASE_NAME } from '../../store/open-store.ts';
import type { ServiceFiles } from './service-files.ts';
import { run } from './system.ts';

/** Writes a database's log into its file, and removes the log. A kill in between leaves both for another time. */
const FOLD_LOG = `const db = new (require('node:sqlite').DatabaseSync)(process.argv[1]);
db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
db.close();`;

/** A copy of the database as it was before an update, in the data folder itself. */
export function createDatabaseCopy(dataDir: string, { uid, gid }: Pick<ServiceFiles, 'uid' | 'gid'>) {
  const database = join(dataDir, DATABASE_NAME);
  const copy = join(dataDir, 'before-update');
  const kept = join(copy, DATABASE_NAME);

  /** As the service's user, who owns the folder. */
  const asOwner = (program: string, ...args: string[]): Promise<string> =>
    run('setpriv', [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', '--', program, ...args]);

  /** Whether the database is of another schema than its copy. */
  async function hasOtherSchema(): Promise<boolean> {
    const before = await schemaOf(kept);
    return before !== null && before !== (await schemaOf(database));
  }

  return {
    /** The panel must be down: then the file is consistent. @returns whether there was a database to copy */
    async make(): Promise<boolean> {
      if (!existsSync(database)) return false;
      await asOwner('rm', '-rf', copy);
      await asOwner('mkdir', '-m', '0700', copy);
      const copied: string[] = [];
      for (const name of [DATABASE_NAME, `${DATABASE_NAME}-wal`])
        if (existsSync(join(dataDir, name))) {
          copied.push(join(copy, name));
          await asOwner('cp', '--reflink=auto', '-p', join(dataDir, name), join(copy, name));
        }
      // The folder alone would keep names of files that a power cut leaves empty.
      await asOwner('sync', ...copied, copy);
      return true;
    },
    /**
     * Puts it back if the newer version has changed the schema: such a database opens in no older one. A copy that is
     * no database replaces nothing; one that is missing is back already.
     */
    async putBack(): Promise<void> {
      if (!(await hasOtherSchema())) return;
      // A file and its log cannot be replaced in one step, and after a power cut the one would lack the other.
      if (existsSync(`${kept}-wal`)) await asOwner(process.execPath, '--no-warnings', '--eval', FOLD_LOG, kept);
      await asOwner('rm', '-f', `${database}-wal`, `${database}-shm`);
      // The older database must not meet this log either, which a power cut could bring back.
      await asOwner('sync', dataDir);
      // The database is replaced in one step: a panel that starts after a power cut would make an empty one.
      await asOwner('mv', '-f', kept, dataDir);
      await asOwner('sync', dataDir);
    },
    folder: copy,
    hasOtherSchema,
    /** Another text for a database that was written to. */
    async stamp(): Promise<string> {
      const texts = [database, `${database}-wal`].map(async (file) => {
        const found = await stat(file, { bigint: true }).catch(() => null);
        return found === null ? '' : `${found.mtimeNs}/${found.size}`;
      });
      return (await Promise.all(texts)).join(' ');
    },
    remove: async (): Promise<void> => void (await asOwner('rm', '-rf', copy)),
  };
}

/** The version of a SQLite file's schema (`user_version`), read from its header; null = there is no such file. */
async function schemaOf(path: string): Promise<number | null> {
  if (!existsSync(path)) return null;
  const file = await open(path, 'r');
  try {
    const { buffer } = await file.read(Buffer.alloc(64), 0, 64, 0);
    return buffer.toString('latin1', 0, 16) === 'SQLite format 3\0' ? buffer.readUInt32BE(60) : null;
  } finally {
    await file.close();
  }
}
