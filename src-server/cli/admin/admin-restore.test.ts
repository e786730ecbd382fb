import { execFile } from 'node:child_process';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, it } from 'vitest';
import { testFolder } from '../../testing/for-each-test.ts';
import type { ImportPlan } from '../../domains/import/contract.ts';
import { openStore, type Store } from '../../store/open-store.ts';
import { recordingLogger } from '../../testing/test-store.ts';
import { restoreCommand } from './admin-restore.ts';

const ADMIN = fileURLToPath(new URL('./admin.ts', import.meta.url));
let folder: string;
let dataDir: string;
let file: string;
beforeEach(async () => {
  folder = await testFolder();
  dataDir = join(folder, 'data');
  file = join(folder, 'kept.db');
  await inStore(async (store) => {
    await store.write(async (trx) => {
      await trx.insertInto('settings').values({ key: 'subTitle', value: 'kept' }).execute();
    });
    await store.copyTo(file);
    await store.write(async (trx) => {
      await trx.updateTable('settings').set({ value: 'changed since' }).execute();
    });
  });
});

async function inStore<T>(work: (store: Store) => Promise<T>, isPanel = false): Promise<T> {
  const store = await openStore({ dataDir, clock: Date.now, log: recordingLogger(), isPanel });
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}
const titleOf = async (store: Store): Promise<string | undefined> =>
  (await store.reader.selectFrom('settings').select('value').where('key', '=', 'subTitle').executeTakeFirst())?.value;

/** As `npm run admin -- restore`, without the seconds that a process takes to start. */
async function restore(name: string, options: { isDryRun?: boolean; isPanelRunning?: boolean } = {}) {
  const said: string[] = [];
  const { isDryRun = false, isPanelRunning = false } = options;
  const say = (line: string) => void said.push(line);
  const plan = await restoreCommand(
    { dataDir, log: recordingLogger(), isPanelRunning: () => isPanelRunning, say, readPassphrase: null },
    name,
    { isDryRun },
  );
  return { plan: JSON.parse(plan) as ImportPlan, said };
}

describe('admin restore', () => {
  it('only checks the file in a dry run', async () => {
    const stdout = await new Promise<string>((resolve, reject) => {
      execFile(process.execPath, [ADMIN, '--data-dir', dataDir, 'restore', file, '--dry-run'], (error, out, err) =>
        error === null && err === 'Nothing was changed.\n' ? resolve(out) : reject(new Error(err, { cause: error })),
      );
    });
    expect(JSON.parse(stdout)).toMatchObject({ kind: 'own', counts: { settings: 1 } });
    expect(await readdir(dataDir)).not.toContain('import');
  });

  it('stages the file for the next start of the panel', async () => {
    const { plan, said } = await restore(file);
    expect(plan).toMatchObject({ kind: 'own', counts: { settings: 1 } });
    expect(said).toEqual(['The panel starts with it the next time. Until then it can be withdrawn: restore --cancel']);
    await expect(restore(file)).rejects.toThrow('import.waits');
    expect(await inStore(titleOf)).toBe('changed since');
    expect(await inStore(titleOf, true)).toBe('kept');
    // The operator's file has no companion files.
    expect((await readdir(folder)).toSorted()).toEqual(['data', 'kept.db']);
  });

  it('says that a running panel restarts', async () => {
    const { said } = await restore(file, { isPanelRunning: true });
    expect(said).toEqual(['The panel restarts with it in a few seconds. Sign in again afterwards.']);
  });

  it('names the reason of a refusal and changes nothing', async () => {
    const broken = join(folder, 'broken.db');
    await writeFile(broken, 'no database');
    for (const [name, reason] of [
      [broken, /^Invalid file/],
      [join(folder, 'absent.db'), /absent\.db cannot be read/],
      [folder, /is a folder/],
    ] as const)
      await expect(restore(name)).rejects.toMatchObject({
        code: 'import.failed',
        params: { reason: expect.stringMatching(reason) as string },
      });
    expect(await inStore(titleOf, true)).toBe('changed since');
  });
});
