import { mkdtemp, readFile, rm, stat, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { testFolder } from '../../src-server/testing/for-each-test.ts';
import { autostartFile } from './autostart-file.ts';
import { createNetworkWatch } from './network-watch.ts';

it('starts at login by one file, with its path escaped and its arguments', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'switchyard-login-'));
  const file = join(folder, 'autostart', 'switchyard.desktop');
  const item = autostartFile(file, ['/opt/my "app"/100%/$HOME', '--hidden', '--data-dir=/srv/my panel']);
  expect(item.isOn()).toBe(false);
  await item.set(true);
  expect(item.isOn()).toBe(true);
  expect(await readFile(file, 'utf8')).toContain(
    String.raw`Exec="/opt/my \\"app\\"/100%%/\\$HOME" "--hidden" "--data-dir=/srv/my panel"`,
  );
  await item.set(false);
  await item.set(false);
  expect(item.isOn()).toBe(false);
  await rm(folder, { recursive: true });
});

it('what starts at login follows the application to another place, as after the update of an AppImage', async () => {
  const folder = await testFolder();
  const file = join(folder, 'switchyard.desktop');
  const entry = (...command: string[]) => autostartFile(file, command);
  const exec = async () => /^Exec=(.*)$/m.exec(await readFile(file, 'utf8'))?.[1];
  await entry('/apps/new', '--hidden').follow();
  expect(entry('').isOn()).toBe(false);
  await entry('/apps/old', '--hidden').set(true);
  // Of another data folder.
  await entry('/apps/new', '--hidden', '--data-dir=/srv/other').follow();
  expect(await exec()).toBe('"/apps/old" "--hidden"');
  await entry('/apps/new', '--hidden').follow();
  expect(await exec()).toBe('"/apps/new" "--hidden"');
  // Where it is already, nothing is written: on a full disk that would empty the file.
  await utimes(file, 1, 1);
  await entry('/apps/new', '--hidden').follow();
  expect((await stat(file)).mtimeMs).toBe(1_000);
});

it('a network that comes back is reported once', () => {
  let isOnline = false;
  let reportCount = 0;
  const look = createNetworkWatch(
    () => isOnline,
    () => (reportCount += 1),
  );
  for (const now of [false, true, true, false, true]) {
    isOnline = now;
    look();
  }
  expect(reportCount).toBe(2);
});
