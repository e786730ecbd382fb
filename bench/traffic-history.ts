import { sql } from 'kysely';
import { createHistoryService } from '../src-server/domains/traffic/history/history.ts';
import { addClientTotals } from '../src-server/domains/traffic/history/repository-totals.ts';
import { runBatch, runScript } from '../src-server/store/batch.ts';
import { openStore, type Store, type WriteTransaction } from '../src-server/store/open-store.ts';
import { figure, percentile, timed } from './figures.ts';
import { inFolder, QUIET } from './measured-panel.ts';
import { seedClients } from './seed.ts';

const CLIENTS = 100_000;
const MOVING = 50_000;
const SOURCES = 5;
const GROUPS = 20;
const ROUNDS = 15;
const HOUR_SEC = 3_600;
const DAY_SEC = 86_400;

/** Traffic charts over a year of 100,000 clients, and the cost of their sums per tick. */
export async function trafficHistory(): Promise<void> {
  await inFolder(async (dataDir) => {
    await seedClients(dataDir, CLIENTS, 10_001);
    const store = await openStore({ dataDir, clock: Date.now, log: QUIET });
    try {
      await tickCost(store, 'no client in a group');
      await fill(store);
      await tickCost(store, 'every client in one of 20 groups');
      await charts(store);
    } finally {
      await store.close();
    }
  });
}

const upTo = (count: number) =>
  sql`(WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ${count}) SELECT i FROM n)`;

async function fill(store: Store): Promise<void> {
  const nowSec = Math.floor(Date.now() / 1000);
  const ledger = (spanSec: number, buckets: number, clients: number, untilSec: number) => (trx: WriteTransaction) =>
    sql`INSERT INTO trafficLedger SELECT ${spanSec}, (${untilSec} / ${spanSec} - ${buckets} + bucket.i) * ${spanSec},
        (one.i * 7 + bucket.i) % ${CLIENTS} + 1, bucket.i % ${SOURCES} + 1, 1000, 10000
      FROM ${upTo(buckets)} AS bucket CROSS JOIN ${upTo(clients)} AS one WHERE true ON CONFLICT DO NOTHING`.execute(
      trx,
    );
  const totals = (kind: string, subject: object) => (trx: WriteTransaction) =>
    sql`INSERT INTO trafficTotals SELECT ${kind}, ${subject}, 900, (${nowSec} / 900 - bucket.i) * 900, source.i + 1, 1000, 10000
      FROM ${upTo(62 * 96)} AS bucket CROSS JOIN ${upTo(SOURCES)} AS source CROSS JOIN ${upTo(kind === 'all' ? 1 : GROUPS)} AS whose
      UNION ALL SELECT ${kind}, ${subject}, 86400, (${nowSec} / 86400 - 63 - bucket.i) * 86400, source.i + 1, 1000, 10000
      FROM ${upTo(365)} AS bucket CROSS JOIN ${upTo(SOURCES)} AS source CROSS JOIN ${upTo(kind === 'all' ? 1 : GROUPS)} AS whose`.execute(
      trx,
    );
  const steps = [
    (trx: WriteTransaction) =>
      sql`INSERT INTO trafficSources (id, kind, guid, bootId) SELECT i + 1, CASE i WHEN 0 THEN 'core' ELSE 'node' END, 'guid-' || i, ''
        FROM ${upTo(SOURCES)}`.execute(trx),
    (trx: WriteTransaction) => sql`UPDATE clients SET groupName = 'group-' || (id % ${GROUPS})`.execute(trx),
    ledger(300, 576, 5_000, nowSec),
    ledger(HOUR_SEC, 58 * 24, 1_000, nowSec - 2 * DAY_SEC),
    ledger(DAY_SEC, 305, 10_000, nowSec - 60 * DAY_SEC),
    totals('all', sql`''`),
    totals('group', sql`'group-' || whose.i`),
    totals('inbound', sql`CAST(whose.i + 1 AS TEXT)`),
    fillDays,
  ];
  for (const step of steps) await store.write((trx) => step(trx) as Promise<unknown>);
}

/** Every client has traffic on each stored day. */
async function fillDays(trx: WriteTransaction): Promise<void> {
  const today = Math.floor(Date.now() / 1000 / DAY_SEC) * DAY_SEC;
  const page = new Uint8Array(Float64Array.from({ length: 1024 }, (_, at) => at * 1_000).buffer);
  const pages = Math.ceil(CLIENTS / 1024);
  for (let day = 0; day < 62; day++)
    await runBatch(
      trx,
      sql`INSERT INTO clientDayPages VALUES (${0}, ${0}, ${0})`,
      [[today - day * DAY_SEC], Float64Array.from({ length: pages }, (_, at) => at), [page]],
      pages,
    );
}

async function charts(store: Store): Promise<void> {
  const history = createHistoryService({ store, clock: Date.now, timeZone: () => 'UTC' });
  const common = { calendar: 'gregory', at: undefined, from: undefined, to: undefined } as const;
  const subjects = [
    ['all', ''],
    ['group', 'group-3'],
    ['inbound', '1'],
    ['client', 'client-70@example.org'],
  ] as const;
  const slowest: Record<string, number> = {};
  for (const [subject, name] of subjects)
    for (const period of ['day', 'week', 'month', 'year'] as const) {
      const took = await p95(() => history.read({ subject, name, period, ...common }));
      slowest[subject] = Math.max(slowest[subject] ?? 0, took);
    }
  for (const [subject] of subjects)
    figure(`traffic of ${subject}, slowest of four periods, p95`, slowest[subject] ?? Number.NaN, 'ms', 150);
  figure('hours of the day, everybody, p95', await p95(() => history.hours({ subject: 'all', name: '' })), 'ms', 150);
  figure(
    'hours of the day, one client, p95',
    await p95(() => history.hours({ subject: 'client', name: 'client-70@example.org' })),
    'ms',
    150,
  );
  const top = (period: 'day' | 'month') => () =>
    history.top({ subject: 'all', name: '', limit: 10, period, ...common });
  figure('top clients of a day, p95', await p95(top('day')), 'ms', 150);
  figure('top clients of a month, p95', await p95(top('month')), 'ms', 150);
}

async function p95(work: () => Promise<unknown>): Promise<number> {
  await work();
  return percentile(await timed(ROUNDS, work), 95);
}

/** The two additional statements of a tick, with 50,000 clients moving; the whole tick is measured elsewhere. */
async function tickCost(store: Store, groups: string): Promise<void> {
  const took: number[] = [];
  for (let round = 0; round < ROUNDS; round++)
    await store.write(async (trx) => {
      await runScript(trx, [
        sql`CREATE TEMP TABLE IF NOT EXISTS moved (clientId INTEGER PRIMARY KEY, position INTEGER, up INTEGER, down INTEGER)`,
        sql`DELETE FROM temp.moved`,
        sql`INSERT INTO temp.moved SELECT i + 1, i, 10, 100 FROM ${upTo(MOVING)} WHERE true`,
      ]);
      const startedAt = performance.now();
      await runScript(trx, addClientTotals('moved', { sourceId: 1, nowMs: Date.now() }));
      took.push(performance.now() - startedAt);
    });
  figure(`sums of a tick, ${MOVING} clients moving, ${groups}`, percentile(took, 50), 'ms', 40);
}
