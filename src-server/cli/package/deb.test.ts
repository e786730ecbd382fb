import { spawnSync } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { testFolder } from '../../testing/for-each-test.ts';
import { packagesIn } from '../update/release-list.ts';
import { packDeb } from './deb.ts';
import { ROOT } from './run.ts';

test.skipIf(spawnSync('dpkg-deb', ['--version']).status !== 0)(
  'a release candidate is an earlier version than its release',
  async () => {
    const [folder, target] = [await testFolder(), await testFolder()];
    await mkdir(join(folder, 'share/doc'), { recursive: true });
    await writeFile(join(folder, 'VERSION'), '1.2.0-rc.1\n');
    const options = { folder, name: 'any', architecture: 'x64', revision: '1', target } as const;
    const file = await packDeb({ ...options, version: '1.2.0-rc.1' });
    const version = spawnSync('dpkg-deb', ['--field', file, 'Version'], { encoding: 'utf8' }).stdout.trim();
    expect(basename(file)).toBe(`switchyard_${version}_amd64.deb`);
    const isEarlier = (one: string, other: string) =>
      spawnSync('dpkg', ['--compare-versions', one, 'lt', other]).status === 0;
    expect([isEarlier('1.1.9-1', version), isEarlier(version, '1.2.0-1')]).toEqual([true, true]);
  },
);

test('the desktop application is no other version of the package of the server', async () => {
  const { linux, deb } = parse(await readFile(join(ROOT, 'electron-builder.yml'), 'utf8')) as Record<
    string,
    { [key: string]: string }
  >;
  // The server has /usr/bin/switchyard.
  expect([deb?.['packageName'], linux?.['executableName']]).toEqual(['switchyard-desktop', 'switchyard-desktop']);
  const values: Record<string, string> = { version: '9.0.0', arch: 'amd64', ext: 'deb' };
  const file = (deb?.['artifactName'] ?? '').replaceAll(/\$\{(\w+)\}/g, (_all, name: string) => values[name]!);
  expect(file).toBe('switchyard-desktop_9.0.0_amd64.deb');
  expect(packagesIn(`${'a'.repeat(64)}  ${file}`, 'amd64')).toEqual([]);
});
