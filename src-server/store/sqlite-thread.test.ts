import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import '../testing/test-store.ts';
import { BEGIN } from './sqlite-protocol.ts';
import { startSqliteThread } from './sqlite-thread.ts';

test('a thread that is closed right behind a large commit ends in peace', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'switchyard-thread-'));
  try {
    const thread = startSqliteThread(join(folder, 'test.db'), 'readWrite');
    const asked = [
      thread.query('CREATE TABLE numbers (value INTEGER) STRICT', []),
      thread.query('BEGIN', []),
      thread.batch('INSERT INTO numbers VALUES (?)', [Float64Array.from({ length: 3_000 }, (_, at) => at)], 3_000),
      thread.query('COMMIT', []),
    ];
    const closed = thread.close();
    await Promise.all(asked);
    await closed;
    await expect(thread.query('SELECT 1', [])).rejects.toThrow('the database connection is closed');
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('a thread that was kept opens the file of the next connection, and nothing of the last one', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'switchyard-thread-'));
  try {
    for (const name of ['one', 'two', 'three']) {
      const thread = startSqliteThread(join(folder, `${name}.db`), 'readWrite');
      await thread.query(`CREATE TABLE ${name} (value INTEGER) STRICT`, []);
      expect((await thread.query('SELECT name FROM sqlite_schema', [])).rows).toEqual([{ name }]);
      await thread.close();
    }
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('a transaction begins with its first statement, and one that asks for nothing leaves no trace', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'switchyard-thread-'));
  const thread = startSqliteThread(join(folder, 'test.db'), 'readWrite');
  const ask = (sql: string) => thread.query(sql, []);
  await ask('CREATE TABLE things (id INTEGER)');
  await ask(BEGIN);
  await ask('COMMIT');
  await ask(BEGIN);
  await ask('INSERT INTO things VALUES (1)');
  // One that cannot begin takes its statement along, and leaves the one that is open as it is.
  await ask(BEGIN);
  await expect(ask('INSERT INTO things VALUES (2)')).rejects.toThrow('within a transaction');
  await ask('ROLLBACK');
  expect((await ask('SELECT id FROM things')).rows).toEqual([]);
  await ask(BEGIN);
  await ask('ROLLBACK');
  await ask(BEGIN);
  await thread.script([{ sql: 'INSERT INTO things VALUES (3)', parameters: [], batch: null }]);
  await ask('COMMIT');
  expect((await ask('SELECT id FROM things')).rows).toEqual([{ id: 3 }]);
  await thread.close();
  await expect(ask(BEGIN)).rejects.toThrow('closed');
  await rm(folder, { recursive: true });
});
