import { copyFile, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { Kysely } from 'kysely';
import { expect, test } from 'vitest';
import { LATEST_VERSION, migrate } from './store/migrate.ts';
import { DATABASE_NAME } from './store/open-store.ts';
import { openSqlite } from './store/sqlite/sqlite-connection.ts';
import { sqliteDialect } from './store/sqlite/sqlite-dialect.ts';
import { API_TOKEN } from './testing/credentials.ts';
import { openPanel } from './testing/panels/open-panel.ts';

/** Schema of the previous version. */
const BEFORE = 280;

/** Gives the rows of a stopped panel the schema of an earlier version. */
async function asBefore(dataDir: string): Promise<void> {
  const file = join(dataDir, DATABASE_NAME);
  const present = join(dataDir, 'present.db');
  await copyFile(file, present);
  for (const part of ['', '-wal', '-shm']) await rm(`${file}${part}`, { force: true });
  const connection = openSqlite(file, 'readWrite');
  await migrate(new Kysely({ dialect: sqliteDialect(connection, 'serial') }), { upTo: BEFORE });
  connection.close();
  const db = new Database(file);
  db.pragma('foreign_keys = OFF');
  db.prepare('ATTACH ? AS present').run(present);
  const columns = (schema: string, table: string): string[] =>
    (db.pragma(`${schema}.table_info(${table})`) as { name: string }[]).map(({ name }) => `"${name}"`);
  const tables = db.prepare(`SELECT name FROM main.sqlite_master WHERE type = 'table'`).all() as { name: string }[];
  for (const { name } of tables) {
    const present = columns('present', name);
    const shared = columns('main', name)
      .filter((column) => present.includes(column))
      .join();
    if (shared === '') continue;
    db.exec(`DELETE FROM main."${name}"`);
    db.exec(`INSERT INTO main."${name}" (${shared}) SELECT ${shared} FROM present."${name}"`);
  }
  db.close();
  await rm(present);
}

test('a data folder of the previous version opens complete, goes on counting, and can be backed up', async () => {
  const first = await openPanel();
  const inboundId = await first.inbound(443);
  await first.add({ email: 'alice', totalGB: 1e9, expiryTime: first.clock() + 86_400_000, group: 'staff' }, [
    inboundId,
  ]);
  await first.add({ email: 'bob', enable: false }, [inboundId]);
  first.core.move('users', 'alice', 100, 1_000);
  await first.tick();
  const shown = async (panel: typeof first) => [
    await panel.read('/inbounds/list'),
    await panel.read('/clients/list'),
    await panel.done('/setting/all'),
  ];
  const before = await shown(first);
  expect(before).toMatchObject([
    [{ id: inboundId }],
    [{ email: 'alice', traffic: { down: 1_000 } }, { email: 'bob' }],
    {},
  ]);
  await first.app.close();
  await asBefore(first.dataDir);

  const second = await openPanel({ dataDir: first.dataDir, startMs: first.clock() });
  try {
    expect(await shown(second)).toEqual(before);
    expect(await readdir(join(second.dataDir, 'backups'))).toContainEqual(expect.stringContaining('migration'));
    // In the file itself: a panel that is killed now leaves its log behind.
    expect((await readFile(join(second.dataDir, DATABASE_NAME))).readUInt32BE(60)).toBe(LATEST_VERSION);
    second.core.start();
    // Another boot than the one that was counted.
    await second.core.restart();
    second.core.move('users', 'alice', 1, 20);
    await second.tick();
    expect(await second.state('alice')).toMatchObject({ upBytes: 101, downBytes: 1_020 });
    const headers = { authorization: `Bearer ${API_TOKEN}` };
    const backup = await fetch(new URL('panel/api/server/getDb', second.app.panel.url), { headers });
    expect((await backup.text()).slice(0, 15)).toBe('SQLite format 3');
  } finally {
    await second.close();
  }
});
