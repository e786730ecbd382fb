import { Kysely } from 'kysely';
import { presentAct } from '../../acting.ts';
import { failpoint } from '../../failpoints/failpoint.ts';
import { takeBackup } from '../backups.ts';
import type { Schema } from '../schema.ts';
import type { StatementRunner } from '../sqlite/sqlite-dialect.ts';
import type { Store } from '../store.ts';
import type { Link } from './connection/link.ts';
import { postgresDialect } from './dialect/postgres-dialect.ts';
import { respell } from './dialect/respell.ts';

/** Counts commits, as far as this process has learned of them. */
export interface SeenVersion {
  seen: number;
}

/** The one writer over a link. */
export const writerOver = (link: Link): Kysely<Schema> =>
  new Kysely<Schema>({ dialect: postgresDialect(link.writing, 'serial') });

/** Copies and automatic backups of a database on a server: files like those of a panel without one. */
export function backupsOf(
  url: string,
  backupFolder: string,
  clock: () => number,
): Pick<Store, 'backup' | 'copyTo' | 'dumpTo'> {
  const copyTo = async (file: string): Promise<void> => {
    const { copyServer } = await import('../transfer/copy-server.ts');
    await copyServer(url, file);
  };
  return {
    copyTo,
    async dumpTo(file) {
      const { dumpServer } = await import('./dump/dump-server.ts');
      await dumpServer(url, file);
    },
    backup: (reason, finish) =>
      takeBackup(backupFolder, reason, clock(), async (to) => {
        await copyTo(to);
        await finish?.(to);
      }),
  };
}

/** The panel's store, over an open link. */
export function storeOver(
  link: Link,
  parts: Pick<Store, 'backup' | 'copyTo' | 'dumpTo' | 'backupFolder'> & {
    version: SeenVersion;
    writer: Kysely<Schema>;
    clock: () => number;
  },
): Store {
  const { version, writer, clock, ...backups } = parts;
  return {
    ...backups,
    reader: new Kysely<Schema>({ dialect: postgresDialect(readingFrom(link, 'short'), 'shared') }),
    heavyReader: new Kysely<Schema>({ dialect: postgresDialect(readingFrom(link, 'long'), 'shared') }),
    turnReader: {
      all: async <Row>(text: string, parameters: readonly (string | number)[]) =>
        (await link.read('short', respell(text), parameters)).rows as Row[],
      version: () => version.seen,
      close() {},
    },
    dataVersion: async () => version.seen,
    write: (work) =>
      writer
        .transaction()
        .execute(async (trx) => {
          const act = presentAct();
          if (act !== undefined) await link.writing.openEntry();
          const result = await work(trx);
          if (act !== undefined) {
            const { entries, ...recorded } = act;
            const entryId = await link.writing.closeEntry(recorded, clock());
            if (entryId !== 0) {
              entries?.push(entryId);
              failpoint('journal.committing');
            }
          }
          return result;
        })
        .finally(() => (version.seen += 1)),
    recovery: null,
    close: () => link.close(),
  };
}

const readingFrom = (link: Link, use: 'short' | 'long'): StatementRunner => ({
  query: (text, parameters) => link.read(use, text, parameters),
  batch: () => Promise.reject(new Error('a reader does not write')),
  script: () => Promise.reject(new Error('a reader does not write')),
});
