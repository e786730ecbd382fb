import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import '../../testing/test-store.ts';
import { BEGIN } from './sqlite-protocol.ts';
import { startSqliteThread } from './sqlite-thread.ts';

test('a thread closed right after a large commit ends cleanly', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'switchyard-thread-'));
  try {
    const thread = startSqliteThread(join(folder, 'test.db'), 'readWrite');
    const pending = [
      thread.query('CREATE TABLE numbers (value INTEGER) STRICT', []),
      thread.query('BEGIN', []),
      thread.batch('INSERT INTO numbers VALUES (?)', [Float64Array.from({ length: 3_000 }, (_, at) => at)], 3_000),
      thread.query('COMMIT', []),
    ];
    const closed = thread.close();
    await Promise.all(pending);
    await closed;
    await expect(thread.query('SELECT 1', [])).rejects.toThrow('the database connection is closed');
  } finally {
    await rm(folder, { recursive: true });
  }
});

test("a reused thread opens the next connection's file, and nothing of the previous one", async () => {
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

test('a transaction begins with its first statement, and one without statements leaves no trace', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'switchyard-thread-'));
  const thread = startSqliteThread(join(folder, 'test.db'), 'readWrite');
  const query = (sql: string) => thread.query(sql, []);
  await query('CREATE TABLE things (id INTEGER)');
  await query(BEGIN);
  await query('COMMIT');
  await query(BEGIN);
  await query('INSERT INTO things VALUES (1)');
  // A transaction that cannot begin fails its statement too, and leaves the open one alone.
  await query(BEGIN);
  await expect(query('INSERT INTO things VALUES (2)')).rejects.toThrow('within a transaction');
  await query('ROLLBACK');
  expect((await query('SELECT id FROM things')).rows).toEqual([]);
  await query(BEGIN);
  await query('ROLLBACK');
  await query(BEGIN);
  await thread.script([{ sql: 'INSERT INTO things VALUES (3)', parameters: [], batch: null }]);
  await query('COMMIT');
  expect((await query('SELECT id FROM things')).rows).toEqual([{ id: 3 }]);
  await thread.close();
  await expect(query(BEGIN)).rejects.toThrow('closed');
  await rm(folder, { recursive: true });
});
