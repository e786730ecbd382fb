import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DomainError } from '../contract/domain-error.ts';
import { replaceFile } from '../durable-files.ts';
import { databaseFrom } from './database-address.ts';

/**
 * A file in the data folder of a panel that has its database on a server. A command or a start without the address
 * would work on the older file in that folder, and report success.
 */
const noteIn = (dataDir: string): string => join(dataDir, 'database-on-server');

export async function noteServer(dataDir: string): Promise<void> {
  if (!existsSync(noteIn(dataDir)))
    await replaceFile(noteIn(dataDir), 'The database of this panel is on a PostgreSQL server.\n');
}

/** The database is in the folder again. */
export const forgetServer = (dataDir: string): Promise<void> => rm(noteIn(dataDir), { force: true });

/** @throws {DomainError} `store.onServer` */
export function requireInFolder(dataDir: string): void {
  const note = noteIn(dataDir);
  if (existsSync(note)) throw new DomainError('store.onServer', { folder: dataDir, note });
}

/**
 * As {@link databaseFrom}, for the panel of a data folder.
 * @throws {DomainError} as there, and `store.onServer`
 */
export async function databaseOf(dataDir: string, option: string | null): Promise<string | null> {
  const address = await databaseFrom(option);
  if (address === null) requireInFolder(dataDir);
  return address;
}
