import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { recordingLogger } from '../testing/test-store.ts';
import { listBackups } from './backups.ts';
import { keepAccessIn } from './kept-access.ts';
import { openStore, type Store } from './open-store.ts';
import {
  confirmImport,
  importFolder,
  isImportTried,
  isImportWaiting,
  readImportEnd,
  stageImport,
  stagedFile,
} from './waiting-import.ts';

let dataDir: string;
let nowMs: number;
let log: ReturnType<typeof recordingLogger>;
beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'waiting-import-'));
  nowMs = 1_700_000_000_000;
  log = recordingLogger();
  await inStore({ isPanel: true }, (store) => setMark(store, 'old'));
});
afterEach(() => rmSync(dataDir, { recursive: true }));

async function inStore<T>(
  options: { isPanel?: boolean; dataDir?: string },
  work: (store: Store) => Promise<T>,
): Promise<T> {
  const store = await openStore({ dataDir, log, clock: () => (nowMs += 1000), ...options });
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}
const setMark = (store: Store, value: string) =>
  store.write(async (trx) => {
    await trx
      .insertInto('settings')
      .values({ key: 'mark', value })
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
      .execute();
  });
const markOf = async (store: Store): Promise<string | undefined> =>
  (await store.reader.selectFrom('settings').select('value').where('key', '=', 'mark').executeTakeFirst())?.value;

/** A sound database with another mark in the import folder. */
async function scratch(): Promise<string> {
  const other = mkdtempSync(join(tmpdir(), 'waiting-import-'));
  mkdirSync(importFolder(dataDir), { recursive: true });
  const file = join(importFolder(dataDir), 'checked.db');
  await inStore({ dataDir: other }, async (store) => {
    await setMark(store, 'new');
    await store.copyTo(file);
  });
  rmSync(other, { recursive: true });
  return file;
}
const staged = async (): Promise<void> => stageImport(dataDir, await scratch(), { lastActiveMs: 0 });
const panelStart = (): Promise<string | undefined> => inStore({ isPanel: true }, markOf);
const left = (): string[] => readdirSync(importFolder(dataDir)).toSorted();

describe('a staged database', () => {
  test("is put in place at the panel's start after a backup, and stays once the panel is up", async () => {
    await staged();
    expect(isImportWaiting(dataDir)).toBe(true);
    expect(await panelStart()).toBe('new');
    expect([isImportWaiting(dataDir), isImportTried(dataDir)]).toEqual([false, true]);
    const [backup] = await listBackups(join(dataDir, 'backups'));
    expect(backup?.reason).toBe('import');
    await confirmImport(dataDir, 5);
    const name = `panel-${backup?.takenAtMs}-import.db`;
    expect(await readImportEnd(dataDir)).toEqual({ atMs: 5, outcome: 'imported', backup: name });
    expect(await panelStart()).toBe('new');
    expect(left()).toEqual(['ended.json']);
  });

  test('is removed for good when the panel did not come up with it', async () => {
    await staged();
    expect(await panelStart()).toBe('new');
    expect(await panelStart()).toBe('old');
    expect(await readImportEnd(dataDir)).toMatchObject({
      outcome: 'undone',
      backup: expect.stringMatching(/^panel-\d+-import\.db$/) as string,
    });
    await confirmImport(dataDir, 5);
    expect(await panelStart()).toBe('old');
    expect(left()).toEqual(['ended.json']);
    expect(log.lines).toContainEqual(expect.objectContaining({ event: 'store.importUndone' }));
  });

  test('is left alone by commands, which cannot tell whether a panel comes up', async () => {
    await staged();
    expect(await inStore({}, markOf)).toBe('old');
    expect(isImportWaiting(dataDir)).toBe(true);
    expect(await panelStart()).toBe('new');
  });

  test('refuses a second one', async () => {
    await staged();
    await expect(stageImport(dataDir, await scratch(), { lastActiveMs: 0 })).rejects.toThrow('import.busy');
    expect(await panelStart()).toBe('new');
    await expect(stageImport(dataDir, await scratch(), { lastActiveMs: 0 })).rejects.toThrow('import.busy');
  });

  test("the old database's log is in its backup and never in the new database", async () => {
    await staged();
    const open = await openStore({ dataDir, log, clock: () => nowMs });
    await setMark(open, 'newest');
    // A killed panel leaves its log.
    expect(existsSync(join(dataDir, 'panel.db-wal'))).toBe(true);
    expect(await panelStart()).toBe('new');
    await open.close();
    expect(await panelStart()).toBe('newest');
  });
});

describe('killed in between', () => {
  test('before it was ready: the old database, nothing left', async () => {
    await scratch();
    writeFileSync(join(importFolder(dataDir), 'staged.db'), 'half');
    writeFileSync(join(importFolder(dataDir), 'waiting.json.unfinished'), '{');
    mkdirSync(join(importFolder(dataDir), 'upload'));
    expect(await panelStart()).toBe('old');
    expect(left()).toEqual([]);
  });

  test('after the backup and before the swap: the swap is done', async () => {
    await staged();
    const backup = await inStore({}, (store) => store.backup('import'));
    writeFileSync(join(importFolder(dataDir), 'tried.json'), JSON.stringify({ backup }));
    expect(await panelStart()).toBe('new');
    expect(await listBackups(join(dataDir, 'backups'))).toHaveLength(1);
    expect(await panelStart()).toBe('old');
  });

  test('before the swap of an import: a token that a command revokes then stays revoked', async () => {
    const token = (name: string) => ({ name, tokenHash: name, enabled: 1 as const, createdAtMs: 1 });
    const file = await scratch();
    const imported = new Database(file);
    imported.exec(`INSERT INTO apiTokens (name, tokenHash, enabled, createdAtMs) VALUES ('theirs', 'theirs', 1, 1)`);
    imported.close();
    await stageImport(dataDir, file, { importedTokens: ['theirs'], lastActiveMs: 0 });
    const [revoked, kept] = [token('revoked'), token('kept')];
    await inStore({}, (store) =>
      store.write((trx) =>
        trx
          .insertInto('apiTokens')
          .values([revoked, kept])
          .execute()
          .then(() => undefined),
      ),
    );
    // The start that was killed had come so far.
    const access = { admins: [], secondFactor: [], apiTokens: [revoked, kept] };
    keepAccessIn(stagedFile(dataDir), access, ['theirs']);
    await inStore({}, (store) =>
      store.write((trx) =>
        trx
          .deleteFrom('apiTokens')
          .where('name', '=', 'revoked')
          .execute()
          .then(() => undefined),
      ),
    );
    const tokens = await inStore({ isPanel: true }, (store) =>
      store.reader.selectFrom('apiTokens').select('name').orderBy('name').execute(),
    );
    expect(tokens.map(({ name }) => name)).toEqual(['kept', 'theirs']);
  });

  test('during the rollback: it rolls back again', async () => {
    await staged();
    expect(await panelStart()).toBe('new');
    writeFileSync(join(importFolder(dataDir), 'back.db'), 'half a copy');
    expect(await panelStart()).toBe('old');
    expect(left()).toEqual(['ended.json']);
  });

  test('a staged file that was damaged meanwhile is not used', async () => {
    await staged();
    writeFileSync(join(importFolder(dataDir), 'staged.db'), 'SQLite format 3\0 and nothing else');
    expect(await panelStart()).toBe('old');
    expect(await readImportEnd(dataDir)).toMatchObject({ outcome: 'undone' });
    expect(left()).toEqual(['ended.json']);
  });
});
