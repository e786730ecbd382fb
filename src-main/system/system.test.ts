import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
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
