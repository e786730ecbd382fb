import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { join } from 'node:path';
import { copyDatabase, databaseOf, dropDatabase, giveBack, takeAway } from '../../testing/postgres/databases.ts';
import { recordingLogger } from '../../testing/test-store.ts';
import { isDatabaseAway } from '../../contract/database-away.ts';
import { openStore } from '../open-store.ts';
import { openReading } from './open-reading.ts';

test('a reader sees what another panel commits, writes nothing, and finds a lost server again', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'switchyard-test-'));
  const log = recordingLogger();
  const url = databaseOf(folder)!;
  const clock = Date.now;
  await copyDatabase('template0', folder);
  const asReader = () =>
    openReading({
      url,
      role: 'reader',
      backupFolder: folder,
      clock,
      log,
      mayWrite() {
        throw new Error('not here');
      },
      onLost: () => undefined,
    });
  await expect(asReader()).rejects.toMatchObject({ code: 'store.otherVersion', params: { found: 0 } });
  const panel = await openStore({ dataDir: folder, clock, log, isPanel: true, database: url });
  const reader = await asReader();
  const keys = async (): Promise<string[]> =>
    (await reader.reader.selectFrom('settings').select('key').execute()).map(({ key }) => key);
  const put = (key: string) => panel.write((trx) => trx.insertInto('settings').values({ key, value: '' }).execute());
  const before = reader.turnReader.version();
  await put('one');
  expect(await keys()).toEqual(['one']);
  await expect.poll(() => reader.turnReader.version()).toBeGreaterThan(before);
  await expect(reader.write(() => Promise.resolve())).rejects.toThrow('not here');
  await takeAway(folder);
  await expect.poll(() => keys().catch(isDatabaseAway)).toBe(true);
  await giveBack(folder);
  await expect.poll(() => put('two').catch(() => null), { timeout: 20_000 }).not.toBe(null);
  await expect.poll(() => keys().catch(() => null), { timeout: 20_000 }).toEqual(['one', 'two']);
  await Promise.all([reader.close(), panel.close()]);
  await dropDatabase(folder);
  await rm(folder, { recursive: true });
});
