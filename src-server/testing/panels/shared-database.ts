import { existsSync } from 'node:fs';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { expect } from 'vitest';
import { openRole } from '../../cli/launch/panel-roles.ts';
import { databaseOf, dropDatabase } from '../postgres/databases.ts';
import { preparedFolder, recordingLogger } from '../test-store.ts';
import { openPanel } from './open-panel.ts';

/** Data folders of several machines whose panels share one database, and the panels started in them. */
export async function openSharedDatabase() {
  const log = recordingLogger();
  const first = await preparedFolder();
  const database = databaseOf(first)!;
  const folders = [first];
  const ending: (() => Promise<unknown>)[] = [];

  async function command(text: string) {
    const owner = new Client(database);
    await owner.connect();
    const { rows } = await owner.query(text);
    await owner.end();
    return rows as unknown[];
  }

  return {
    log,
    first,
    database,
    command,
    /** A data folder of another machine. @param hasKey with the key of the first one */
    async anotherFolder(hasKey = true): Promise<string> {
      const folder = await mkdtemp(join(tmpdir(), 'switchyard-test-'));
      folders.push(folder);
      const key = join(first, 'secret.key');
      if (hasKey && existsSync(key)) await copyFile(key, join(folder, 'secret.key'));
      return folder;
    },
    /** Starts a panel on the database, in whatever role it gets there. */
    async startAt(dataDir: string, hasHadRole = false) {
      const clock = (): number => 1_700_000_000_000;
      const role = await openRole({ hasHadRole, dataDir, database, clock, log });
      const { store, isStandby, server, changes } = role;
      const panel = await openPanel({
        dataDir,
        app: {
          store: Promise.resolve(store),
          isStandby,
          ...(server !== undefined && { server }),
          ...(changes !== undefined && { changes }),
        },
      });
      const close = (): Promise<void> => panel.app.close();
      ending.push(close);
      return { ...role, server: server!, panel, close };
    },
    /** Waits for the active panel's lock, and ends that panel's connections: when they come back, the lock is taken. */
    async depose(): Promise<{ release(): Promise<void> }> {
      const thief = new Client(database);
      await thief.connect();
      const got = thief.query('SELECT pg_advisory_lock(7276301)');
      const isWaiting = `SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND objid = 7276301 AND NOT granted`;
      await expect.poll(async () => (await command(isWaiting)).length).toBe(1);
      await command(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE application_name LIKE 'switchyard panel%' AND datname = current_database()`);
      await got;
      return { release: () => thief.end() };
    },
    async close(): Promise<void> {
      for (const end of ending.splice(0).toReversed()) await end();
      await dropDatabase(first);
      for (const folder of folders) await rm(folder, { recursive: true, force: true });
    },
  };
}
export type SharedDatabase = Awaited<ReturnType<typeof openSharedDatabase>>;
