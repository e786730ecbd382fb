import { join } from 'node:path';
import { Kysely } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { testFolder } from '../../../testing/for-each-test.ts';
import { migrate } from '../../../store/migrate.ts';
import { openStore } from '../../../store/open-store.ts';
import { openSqlite } from '../../../store/sqlite/sqlite-connection.ts';
import { sqliteDialect } from '../../../store/sqlite/sqlite-dialect.ts';
import { recordingLogger } from '../../../testing/test-store.ts';
import { creditsOf } from '../ledger/credits.ts';

const columns = (rows: [id: number, up: number, down: number][]) => ({
  ids: Float64Array.from(rows, ([id]) => id),
  up: Float64Array.from(rows, ([, up]) => up),
  down: Float64Array.from(rows, (row) => row[2]),
});

describe('a database whose baselines were stored in pages', () => {
  let dataDir: string;
  beforeEach(async () => {
    dataDir = await testFolder();
  });

  it('keeps every value, by source, and records owner changes from then on', async () => {
    const connection = openSqlite(join(dataDir, 'panel.db'), 'readWrite');
    const old = new Kysely<unknown>({ dialect: sqliteDialect(connection, 'serial') });
    await migrate(old, { upTo: 110 });
    // Version 120 moves them into pages, 450 back into rows.
    connection.query(
      `INSERT INTO trafficSources (id, kind, guid, bootId) VALUES (1, 'core', 'a', 'x'), (2, 'core', 'b', 'y')`,
      [],
    );
    connection.batch(
      `INSERT INTO counterBaselines (id, sourceId, kind, subject, ownerId, upBytes, downBytes) VALUES (?, ?, 'user', ?, ?, ?, ?)`,
      [
        [1, 511, 512, 100_000, 513],
        [1, 1, 1, 1, 2],
        ['a', 'b', 'c', 'd', 'a'],
        [5, null, 6, 7, 8],
        [0, Number.MAX_SAFE_INTEGER, 3, 4, 9],
        [1, 2, 0, Number.MAX_SAFE_INTEGER, 9],
      ],
      5,
    );
    connection.close();

    const store = await openStore({ dataDir, clock: Date.now, log: recordingLogger() });
    try {
      const kept = store.reader.selectFrom('counterBaselines').select(['id', 'sourceId', 'upBytes', 'downBytes']);
      expect((await kept.orderBy('id').execute()).map((row) => Object.values(row))).toEqual([
        [1, 1, 0, 1],
        [511, 1, Number.MAX_SAFE_INTEGER, 2],
        [512, 1, 3, 0],
        [513, 2, 9, 9],
        [100_000, 1, 4, Number.MAX_SAFE_INTEGER],
      ]);
      await store.write((trx) =>
        trx.updateTable('counterBaselines').set({ ownerId: 5 }).where('id', 'in', [1, 511]).execute(),
      );
      // 1 had that owner already.
      expect(await store.reader.selectFrom('changedOwners').selectAll().execute()).toEqual([{ baselineId: 511 }]);
    } finally {
      await store.close();
    }
  });
});

describe('credits', () => {
  const changed = (rows: [position: number, up: number, down: number][]) => {
    const { ids: positions, up: upDelta, down: downDelta } = columns(rows);
    return { positions, ids: positions, up: upDelta, down: downDelta, upDelta, downDelta };
  };

  it('are ordered by client; counters of one client are summed; empty ones and those without owner are skipped', () => {
    const owners = [30, 0, 10, 30, 20];
    const credits = creditsOf(
      changed([
        [0, 1, 2],
        [1, 100, 100],
        [4, 0, 0],
        [3, 10, 20],
        [2, 5, 0],
      ]),
      owners,
    );
    expect(Object.values(credits).map((column: Float64Array) => [...column])).toEqual([
      [10, 30],
      [2, 0],
      [5, 11],
      [0, 22],
    ]);
  });
});
