import { spawnSync } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { expect, test } from 'vitest';
import { testFolder } from '../../testing/for-each-test.ts';
import { ROOT } from './run.ts';

/** The variables that commands of root get when this is the file of the service. */
async function variablesOf(file: string, given: Record<string, string> = {}): Promise<string[]> {
  const folder = await testFolder();
  const settings = join(folder, 'settings');
  await writeFile(settings, file);
  const command = join(folder, 'switchyard');
  const script = await readFile(join(ROOT, 'resources/package/switchyard'), 'utf8');
  await writeFile(command, script.replaceAll('/etc/default/switchyard', settings));
  const path = join(folder, 'path');
  await mkdir(path);
  await writeFile(join(path, 'id'), '#!/bin/sh\necho 0\n', { mode: 0o755 });
  await writeFile(join(path, 'setpriv'), '#!/bin/sh\nexec env\n', { mode: 0o755 });
  const { stdout } = spawnSync('sh', [command, 'doctor'], {
    encoding: 'utf8',
    env: { PATH: `${path}${delimiter}${process.env['PATH']!}`, SWITCHYARD_DATA: '/var/lib/switchyard', ...given },
  });
  return stdout.split('\n').filter((line) => /^(DATABASE|CORE|SWITCHYARD_OPTIONS)/.test(line));
}

test.skipIf(process.platform === 'win32')(
  'commands of an installed panel take from the file of the service what the service takes',
  async () => {
    const file = `# where\nDATABASE_URL=one\nCORE_BINARY='/opt/core'\nSWITCHYARD_OPTIONS="--port 1"\nDATABASE_URL="two"`;
    expect((await variablesOf(file)).sort()).toEqual(['CORE_BINARY=/opt/core', 'DATABASE_URL=two']);
    const given = { DATABASE_URL: 'mine', CORE_BINARY: '' };
    expect((await variablesOf(file, given)).sort()).toEqual(['CORE_BINARY=', 'DATABASE_URL=mine']);
    const pooled = `${file}\nDATABASE_URL_DIRECT=direct\nDATABASE_PASSWORD_FILE=secret`;
    expect((await variablesOf(pooled)).sort()).toEqual([
      'CORE_BINARY=/opt/core',
      'DATABASE_PASSWORD_FILE=secret',
      'DATABASE_URL=two',
      'DATABASE_URL_DIRECT=direct',
    ]);
    // They belong to the address of the file.
    expect((await variablesOf(pooled, given)).sort()).toEqual(['CORE_BINARY=', 'DATABASE_URL=mine']);
  },
);
