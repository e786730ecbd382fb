import { copyFile, cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import type { Logger } from '../contract/logger.ts';
import './provided.ts';
import { copyDatabase, databaseOf, dropDatabase } from './postgres/databases.ts';
import { DATABASE_NAME, openStore, type Store } from '../store/open-store.ts';
import { keepThreads } from '../store/sqlite/sqlite-thread.ts';

/** Panels of one test that are open side by side. */
keepThreads(4);

/** A logger that keeps its lines, for assertions. */
export function recordingLogger(): Logger & {
  lines: { level: string; event: string; fields: Record<string, unknown> }[];
} {
  const lines: { level: string; event: string; fields: Record<string, unknown> }[] = [];
  const at =
    (level: string) =>
    (event: string, fields: Record<string, unknown> = {}) =>
      void lines.push({ level, event, fields });
  return { lines, debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

/** A separate data folder: the schema, {@link ADMIN} and {@link API_TOKEN} are in its database. */
export async function preparedFolder(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'switchyard-test-'));
  await cp(inject('preparedFolder'), dataDir, { recursive: true });
  await copyDatabase('prepared', dataDir);
  return dataDir;
}

/** A real store without rows in its own folder, removed by `dispose`. */
export async function openTestStore(
  clock: () => number = Date.now,
): Promise<{ store: Store; dataDir: string; dispose(): Promise<void> }> {
  const dataDir = await mkdtemp(join(tmpdir(), 'switchyard-test-'));
  const database = databaseOf(dataDir);
  if (database === undefined) await copyFile(inject('emptyDatabase'), join(dataDir, DATABASE_NAME));
  else await copyDatabase('empty', dataDir);
  const store = await openStore({
    dataDir,
    clock,
    log: recordingLogger(),
    ...(database !== undefined && { database }),
  });
  return {
    store,
    dataDir,
    async dispose() {
      await store.close();
      await dropDatabase(dataDir);
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Reads a number among the settings and writes the next one, in one transaction. */
export const addOne = (store: Pick<Store, 'write'>, key: string): Promise<void> =>
  store.write(async (trx) => {
    const numbers = trx.selectFrom('settings').select('value').where('key', '=', key);
    const { value } = await numbers.executeTakeFirstOrThrow();
    const next = String(Number(value) + 1);
    await trx.updateTable('settings').set({ value: next }).where('key', '=', key).execute();
  });
