import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { archiveText } from '../../../domains/import/reading/archive-text.ts';
import { clientPrograms, complaintOf, fittingProgram } from './client-programs.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'switchyard-test-'));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

/** A program that prints its version, as Debian installs it. */
function install(version: string, bin: string): string {
  mkdirSync(bin, { recursive: true });
  const path = join(bin, 'pg_dump');
  writeFileSync(path, `#!/bin/sh\necho 'pg_dump (PostgreSQL) ${version}'\n`, { mode: 0o755 });
  return path;
}

test('programs are found on PATH and beside each other, the oldest first, and none where none is installed', async () => {
  vi.stubEnv('PATH', join(folder, 'path'));
  expect(await clientPrograms('pg_dump', folder)).toEqual([]);
  const newest = install('17.2 (Debian 17.2-1)', join(folder, '17', 'bin'));
  const own = install('16beta1', join(folder, 'path'));
  const oldest = install('9.6.24', join(folder, '9.6', 'bin'));
  mkdirSync(join(folder, '15', 'bin'), { recursive: true });
  writeFileSync(join(folder, '15', 'bin', 'pg_dump'), 'not to be run');
  expect(await clientPrograms('pg_dump', folder)).toEqual([
    { path: oldest, major: 9 },
    { path: own, major: 16 },
    { path: newest, major: 17 },
  ]);
});

test('a file that needs pg_restore is refused where it is not installed', async () => {
  vi.stubEnv('PATH', folder);
  await expect(archiveText('native.dump', clientPrograms('pg_restore', folder)).next()).rejects.toThrow(
    /pg_restore, which reads it, is not installed on this machine: install the package postgresql-client/,
  );
});

const installed = [14, 16, 18].map((major) => ({ path: `/usr/lib/postgresql/${major}/bin/pg_dump`, major }));

test('the program of the server’s own version is used, else the next one', () => {
  expect([14, 15, 16, 17].map((server) => fittingProgram(installed, server).major)).toEqual([14, 16, 16, 18]);
});

test('a missing or old program is named, with the required version', () => {
  expect(() => fittingProgram([], 15)).toThrow(
    expect.objectContaining({ code: 'store.dumpProgramMissing', params: { needed: 15 } }) as Error,
  );
  expect(() => fittingProgram(installed, 19)).toThrow(
    expect.objectContaining({ code: 'store.dumpProgramOld', params: { needed: 19, found: 18 } }) as Error,
  );
});

test('the complaint holds a program’s error, without its progress', () => {
  expect(
    complaintOf(
      'pg_dump: dumping contents of table "switchyard.clients"\npg_dump: error: query failed\npg_dump: detail: Query was: COPY',
    ),
  ).toBe('query failed');
});
