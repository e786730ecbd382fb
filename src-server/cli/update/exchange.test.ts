import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { testFolder } from '../../testing/for-each-test.ts';
import { createExchange } from './exchange.ts';

afterEach(() => void vi.unstubAllEnvs());

/** A machine with this version installed: dpkg's programs keep it in a file, and the service always comes up. */
async function machine(installed: string) {
  const folder = await testFolder();
  const [programs, dataDir, cacheDir, state] = ['bin', 'data', 'cache', 'installed'].map((name) => join(folder, name));
  for (const each of [programs!, dataDir!, cacheDir!]) await mkdir(each);
  await writeFile(state!, installed);
  const scripts = {
    'dpkg-query': `printf 'installed %s' "$(cat '${state}')"`,
    dpkg: `for package; do :; done; basename "$package" .deb >'${state}'`,
    setpriv: 'while [ "$1" != -- ]; do shift; done; shift; exec "$@"',
  };
  for (const [name, script] of Object.entries(scripts)) {
    await writeFile(join(programs!, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  }
  vi.stubEnv('PATH', `${programs}${delimiter}${process.env['PATH']}`);
  const calls: string[] = [];
  const service = {
    isActive: async () => true,
    stop: async () => String(calls.push('stop')),
    start: async () => void calls.push('start'),
  };
  const files = { uid: 0, gid: 0, takeRequest: () => null, writeStatus: () => undefined };
  const journal = join(cacheDir!, 'exchange.json');
  const known = (version: string) => ({ version, path: join(cacheDir!, `${version}.deb`) });
  await writeFile(
    journal,
    JSON.stringify({ runId: '7', before: known('1.1.0-1'), next: known('1.2.0-1'), wasActive: true, hasCopy: false }),
  );
  return {
    exchange: createExchange({
      dataDir: dataDir!,
      cacheDir: cacheDir!,
      base: '',
      service,
      files,
      say: () => undefined,
    }),
    calls,
    hasJournal: () => existsSync(journal),
    installed: async () => (await readFile(state!, 'utf8')).trim(),
  };
}

test.skipIf(process.platform === 'win32').each([
  [
    '1.1.0-1',
    '1.1.0-1',
    ['stop', 'start'],
    'The update was interrupted. Version 1.1.0-1 runs again in the place of 1.2.0-1.',
  ],
  ['1.2.0-1', '1.2.0-1', ['start'], ''],
  // By hand, after the way back had failed.
  ['1.3.0-1', '1.3.0-1', [], 'The update was interrupted. Version 1.3.0-1, installed since, stays.'],
])('an interrupted update from 1.1.0-1 to 1.2.0-1 that finds %s leaves %s', async (found, left, calls, message) => {
  const { exchange, ...seen } = await machine(found);
  expect(await exchange.recover()).toEqual({ runId: '7', message });
  expect([await seen.installed(), seen.calls, seen.hasJournal()]).toEqual([left, calls, false]);
  expect(await exchange.recover()).toBeNull();
});
