import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { beforeEach, describe, expect, it } from 'vitest';
import { testFolder } from '../../testing/for-each-test.ts';
import { lockDataFolder } from '../../store/data-lock.ts';
import { openStore } from '../../store/open-store.ts';
import { recordingLogger } from '../../testing/test-store.ts';

const ADMIN = fileURLToPath(new URL('./admin.ts', import.meta.url));
let folder: string;
beforeEach(async () => {
  folder = await testFolder();
});

function admin(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const all = [ADMIN, '--data-dir', join(folder, 'data'), ...args];
  return new Promise((resolve) => {
    execFile(process.execPath, all, (error, stdout, stderr) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr }),
    );
  });
}

describe('admin backup', () => {
  it('copies the newest commit of a running panel and never overwrites a file', async () => {
    const dataDir = join(folder, 'data');
    const file = join(folder, 'kept.db');
    await admin('user', 'reset');
    const lock = lockDataFolder(dataDir);
    const store = await openStore({ dataDir, clock: Date.now, log: recordingLogger() });
    await store.write(
      async (trx) => void (await trx.insertInto('settings').values({ key: 'aKey', value: 'newest' }).execute()),
    );
    try {
      expect(await admin('backup', file)).toEqual({ code: 0, stdout: `${file}\n`, stderr: '' });
      // Before it is opened here, which creates files beside it.
      expect((await readdir(folder)).toSorted()).toEqual(['data', 'kept.db']);
      const db = new Database(file, { readonly: true });
      expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
      expect(db.prepare(`SELECT value FROM settings WHERE key = 'aKey'`).pluck().get()).toBe('newest');
      db.close();
      const nowhere = await admin('backup', join(folder, 'absent', 'kept.db'));
      expect(nowhere).toEqual({
        code: 1,
        stdout: '',
        stderr: expect.stringMatching(/^An error .*directory.*\n$/) as string,
      });
      const again = await admin('backup', file);
      expect(again).toEqual({ code: 1, stdout: '', stderr: expect.stringContaining('exists already') as string });
    } finally {
      await store.close();
      lock.release();
    }
  });
});
