import { execFile, spawnSync } from 'node:child_process';
import { chmod, chown, mkdir, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, it } from 'vitest';
import { testFolder } from '../../testing/for-each-test.ts';

const ADMIN = fileURLToPath(new URL('./admin.ts', import.meta.url));
/** A user that has no name, as in a container. */
const NOBODY = { uid: 4242, gid: 4242 };
/** Only root can be others, who have to be able to read the program. */
const canBeOthers =
  process.getuid?.() === 0 &&
  spawnSync(process.execPath, ['-e', `fs.accessSync(${JSON.stringify(ADMIN)})`], NOBODY).status === 0;

let dataDir: string;
beforeEach(async () => {
  const folder = await testFolder();
  await chmod(folder, 0o711);
  dataDir = join(folder, 'data');
});

function admin(user: { uid?: number; gid?: number }, ...args: string[]) {
  return new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    execFile(process.execPath, [ADMIN, '--data-dir', dataDir, ...args], user, (error, stdout, stderr) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr }),
    );
  });
}

describe.skipIf(!canBeOthers)('npm run admin, as other users (needs root)', () => {
  it('works for a user without a name, and root leaves him no file that he cannot open', async () => {
    await mkdir(dataDir);
    await chown(dataDir, NOBODY.uid, NOBODY.gid);
    expect(await admin(NOBODY, 'token', 'create', 'his')).toMatchObject({
      code: 0,
      stderr: `There was no panel in ${dataDir} yet.\n`,
    });
    const made = await admin({}, 'certificate', 'self-signed', 'of root', 'panel.example');
    expect(made).toMatchObject({ code: 0, stderr: 'Acting as 4242, whose panel this is.\n' });
    for (const name of await readdir(dataDir, { recursive: true }))
      expect((await stat(join(dataDir, name))).uid, name).toBe(NOBODY.uid);
    expect(await admin(NOBODY, 'certificate', 'list')).toMatchObject({ code: 0, stdout: made.stdout, stderr: '' });
  });

  it('tries a restore with a folder that may only be read', async () => {
    await mkdir(dataDir);
    await chown(dataDir, NOBODY.uid, NOBODY.gid);
    await admin(NOBODY, 'token', 'create', 'his');
    const kept = join(dataDir, 'kept.db');
    await admin(NOBODY, 'backup', kept);
    const before = await readdir(dataDir);
    await chmod(dataDir, 0o500);
    expect(await admin(NOBODY, 'restore', kept, '--dry-run')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('"kind":"own"') as string,
      stderr: 'Nothing was changed.\n',
    });
    expect(await readdir(dataDir)).toEqual(before);
  });

  it('calls no folder empty that it may not look into', async () => {
    await admin({}, 'token', 'create', 'of root');
    for (const command of [['token', 'list'], ['doctor']])
      expect(await admin(NOBODY, ...command), command[0]).toMatchObject({
        code: 1,
        stdout: '',
        stderr: expect.stringMatching(/^The data folder .* cannot be written \(EACCES: .*\n$/) as string,
      });
  });
});
