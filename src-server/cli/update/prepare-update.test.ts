import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { testFolder } from '../../testing/for-each-test.ts';
import { choosePackages } from './prepare-update.ts';

afterEach(() => void vi.unstubAllEnvs());

const VERSIONS = ['1.1.0-1', '1.2.0~rc.1-1', '1.2.0~rc.2-1', '1.2.0-1', '1.2.0-2', '1.3.0~rc.1-1'];

test.skipIf(spawnSync('dpkg', ['--version']).status !== 0).each([
  ['1.1.0-1', '1.2.0-rc.1', '1.2.0~rc.1-1'],
  ['1.1.0-1', '1.2.0', '1.2.0-2'],
  ['1.1.0-1', '1.2.0-1', '1.2.0-1'],
  ['1.2.0~rc.2-1', '1.2.0', '1.2.0-2'],
  ['1.2.0-2', '', '1.3.0~rc.1-1'],
])('from %s, %j leads to %s', async (installed, version, next) => {
  const folder = await testFolder();
  await writeFile(join(folder, 'dpkg-query'), `#!/bin/sh\nprintf 'installed ${installed}'\n`, { mode: 0o755 });
  vi.stubEnv('PATH', `${folder}${delimiter}${process.env['PATH']}`);
  const releases = VERSIONS.map((each) => ({ file: `switchyard_${each}_amd64.deb`, version: each, sha256: '' }));
  const chosen = await choosePackages({ runId: '1', version }, releases);
  expect([chosen.before.version, chosen.next.version]).toEqual([installed, next]);
});
