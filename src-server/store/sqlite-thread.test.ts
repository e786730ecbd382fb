import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import '../testing/test-store.ts';
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
