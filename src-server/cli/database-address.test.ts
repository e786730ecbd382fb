import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { tmpdir } from 'node:os';
import { databaseFrom, poolerFrom, replicaFrom } from './database-address.ts';

const PANEL = 'postgres://me@pool:6432/panel';
const DIRECT = 'postgres://me@db:5432/panel';

test('each part of the program finds the address meant for it', async () => {
  const all = async (option: string | null, env: NodeJS.ProcessEnv) => [
    await databaseFrom(option, env),
    await poolerFrom(option, env),
    await replicaFrom(env),
  ];
  expect(await all(null, {})).toEqual([null, null, null]);
  expect(await all(null, { DATABASE_URL: '', DATABASE_URL_DIRECT: '', DATABASE_URL_READ: '' })).toEqual([
    null,
    null,
    null,
  ]);
  expect(await all(null, { DATABASE_URL: PANEL })).toEqual([PANEL, null, null]);
  expect(await all(PANEL, { DATABASE_URL: 'postgres://me@other/x' })).toEqual([PANEL, null, null]);
  // Locks and LISTEN need the server itself; a pooler in front of it only serves reads.
  expect(await all(PANEL, { DATABASE_URL_DIRECT: DIRECT })).toEqual([DIRECT, PANEL, null]);
  expect(await all(null, { DATABASE_URL_DIRECT: DIRECT })).toEqual([null, null, null]);
  expect(await all(PANEL, { DATABASE_URL: PANEL, DATABASE_URL_DIRECT: DIRECT })).toEqual([DIRECT, PANEL, null]);
  const other = 'postgres://me@new/panel';
  expect(await all(other, { DATABASE_URL: PANEL, DATABASE_URL_DIRECT: DIRECT })).toEqual([other, null, null]);
  await expect(all(null, { DATABASE_URL_READ: 'db' })).rejects.toMatchObject({ code: 'store.badAddress' });
});

test('passwords come from files, one per server where there are two', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'switchyard-test-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const [file, readFile] = [join(folder, 'all'), join(folder, 'read')];
  await writeFile(file, 'p:w\n');
  await writeFile(readFile, 'other');
  const env = {
    DATABASE_URL: PANEL,
    DATABASE_URL_DIRECT: DIRECT,
    DATABASE_URL_READ: DIRECT,
    DATABASE_PASSWORD_FILE: file,
  };
  expect(await databaseFrom(null, env)).toBe('postgres://me:p%3Aw@db:5432/panel');
  expect(await poolerFrom(null, env)).toBe('postgres://me:p%3Aw@pool:6432/panel');
  expect(await replicaFrom(env)).toBe('postgres://me:p%3Aw@db:5432/panel');
  expect(await replicaFrom({ ...env, DATABASE_READ_PASSWORD_FILE: readFile })).toBe(
    'postgres://me:other@db:5432/panel',
  );
  const missing = { ...env, DATABASE_PASSWORD_FILE: join(folder, 'none') };
  await expect(poolerFrom(null, missing)).rejects.toMatchObject({ code: 'store.noPasswordFile' });
});
