import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { testFolder } from '../../testing/for-each-test.ts';
import { createExchange } from './exchange.ts';
import { UpdateFailure } from './update-failure.ts';

afterEach(() => void vi.unstubAllEnvs());

/**
 * A machine with this version installed: dpkg's programs keep it in a file, and the service comes up unless its version
 * is one of `spoilt`. No package is installed while there is a file `full`.
 */
async function machine(installed: string, { hasCopy = false, spoilt = [] as string[] } = {}) {
  const folder = await testFolder();
  const [programs, dataDir, cacheDir, state] = ['bin', 'data', 'cache', 'installed'].map((name) => join(folder, name));
  for (const each of [programs!, dataDir!, cacheDir!]) await mkdir(each);
  await writeFile(state!, installed);
  const scripts = {
    'dpkg-query': `printf 'installed %s' "$(cat '${state}')"`,
    dpkg: `[ ! -e '${join(folder, 'full')}' ] || exit 2; for package; do :; done; basename "$package" .deb >'${state}'`,
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
    start: async () => {
      calls.push('start');
      if (spoilt.includes((await readFile(state!, 'utf8')).trim()))
        throw new UpdateFailure('The panel does not answer.');
    },
  };
  const files = { uid: 0, gid: 0, takeRequest: () => null, writeStatus: () => undefined };
  const journal = join(cacheDir!, 'exchange.json');
  const known = (version: string) => ({ version, path: join(cacheDir!, `${version}.deb`) });
  await writeFile(
    journal,
    JSON.stringify({ runId: '7', before: known('1.1.0-1'), next: known('1.2.0-1'), wasActive: true, hasCopy }),
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
    folder,
    dataDir: dataDir!,
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

/** The first bytes of a database whose schema has this version, and a text. */
function databaseOf(version: number, text: string): Buffer {
  const header = Buffer.alloc(100);
  header.write('SQLite format 3\0', 'latin1');
  header.writeUInt32BE(version, 60);
  return Buffer.concat([header, Buffer.from(text)]);
}

describe.skipIf(process.platform === 'win32')('after a way back that has failed for want of room', () => {
  const older = databaseOf(1, 'before');
  const newer = databaseOf(2, 'of the newer version');
  const mended = databaseOf(2, 'mended, and used for days');
  let spoilt: string[];
  let at: Awaited<ReturnType<typeof machine>>;
  let live: string;

  beforeEach(async () => {
    spoilt = ['1.2.0-1'];
    at = await machine('1.2.0-1', { hasCopy: true, spoilt });
    live = join(at.dataDir, 'panel.db');
    await mkdir(join(at.dataDir, 'before-update'));
    await writeFile(join(at.dataDir, 'before-update', 'panel.db'), older);
    await writeFile(live, newer);
    await writeFile(join(at.folder, 'full'), '');
    expect((await at.exchange.recover())?.message).toContain('Version 1.1.0-1 was not brought back either');
    await rm(join(at.folder, 'full'));
  });

  test('it is taken again where nothing was written since', async () => {
    expect((await at.exchange.recover())?.message).toContain('Version 1.1.0-1 runs again');
    expect([await at.installed(), await readFile(live), at.hasJournal()]).toEqual(['1.1.0-1', older, false]);
  });

  test.each(['panel.db', 'panel.db-wal'])('it is not taken again where %s was written since', async (name) => {
    await writeFile(join(at.dataDir, name), mended);
    for (let time = 0; time < 2; time++) {
      expect(await at.exchange.recover()).toEqual({
        runId: '7',
        message: expect.stringContaining('The database has been written since') as string,
      });
      expect([await at.installed(), at.hasJournal()]).toEqual(['1.2.0-1', true]);
      expect(await readFile(join(at.dataDir, name))).toEqual(mended);
    }
    spoilt.pop();
    expect(await at.exchange.recover()).toEqual({ runId: '7', message: '' });
    expect([await at.installed(), at.hasJournal()]).toEqual(['1.2.0-1', false]);
    expect(await readFile(join(at.dataDir, name))).toEqual(mended);
  });

  test('a database that was mended for the previous version stays, and that version runs', async () => {
    await writeFile(join(at.folder, 'installed'), '1.1.0-1');
    await writeFile(live, databaseOf(1, 'mended'));
    expect((await at.exchange.recover())?.message).toContain('Version 1.1.0-1 runs again');
    expect([await readFile(live), at.hasJournal()]).toEqual([databaseOf(1, 'mended'), false]);
  });
});
