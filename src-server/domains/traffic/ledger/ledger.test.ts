import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eachNumber } from '../../../store/dialect/each-json.ts';
import { PANEL_GUID, trafficPanel, type TrafficPanel } from '../../../testing/panels/traffic-panel.ts';
import { createRollUp } from './roll-up.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Midnight, so that buckets are easy to read. */
const START = 1_700_006_400_000;
let panel: TrafficPanel;
beforeEach(async () => {
  panel = await trafficPanel();
  panel.jumpClock(START - panel.clock());
});
afterEach(async () => {
  await panel.close();
});

const read = (query = '') => panel.get(`/clients/ledger/alice${query}`);

/** Sets the clock of a panel that runs meanwhile: it does not believe a leap of months at once. */
async function goTo(ms: number): Promise<void> {
  while (ms - panel.clock() > 29 * DAY) {
    panel.jumpClock(29 * DAY);
    await panel.tick();
  }
  panel.jumpClock(ms - panel.clock());
}

async function move(up: number, down: number): Promise<void> {
  panel.core.move('users', 'alice', up, down);
  await panel.service().finalRead();
}

it('explains a client by bucket and source, resets and corrections included', async () => {
  const alice = await panel.addClient('alice');
  await move(10, 100);
  await panel.advance(299_000);
  await move(1, 1);
  await panel.advance(1_000);
  await move(2, 2);
  await panel.resetClient(alice);
  await panel.store.write((trx) =>
    panel.service().port.setCounters(trx, [alice], { upBytes: 7, downBytes: 0 }, 'manual', panel.clock()),
  );
  const bucket = (start: number, source: string, up: number, down: number) => ({
    start,
    seconds: 300,
    source,
    guid: source === 'core' ? PANEL_GUID : '',
    up,
    down,
  });
  expect(await read(`?from=${START}&to=${START + HOUR}`)).toEqual({
    success: true,
    msg: '',
    obj: {
      email: 'alice',
      counters: { up: 7, down: 0 },
      ledger: { up: 7, down: 0 },
      from: START,
      to: START + HOUR,
      buckets: [
        bucket(START, 'core', 11, 101),
        bucket(START + 300_000, 'core', 2, 2),
        bucket(START + 300_000, 'manual', 7, 0),
        bucket(START + 300_000, 'reset', -13, -103),
      ],
    },
  });
  const hourly = await read(`?from=${START}&to=${START + HOUR}&bucket=3600`);
  expect(hourly.obj).toMatchObject({ buckets: [{ start: START, seconds: 3600, up: 13, down: 103 }, {}, {}] });
  expect((await read(`?from=${START + 300_000}&to=${START + HOUR}`)).obj).toMatchObject({ buckets: [{}, {}, {}] });
  expect((await read(`?from=${START - DAY}&to=${START}`)).obj).toMatchObject({ buckets: [] });
});

it('accepts a single end of a range, and derives the bucket length from the range', async () => {
  await panel.addClient('alice');
  await move(1, 0);
  await panel.advance(HOUR);
  const now = panel.clock();
  const shown = async (query: string) => {
    const { from, to, buckets } = (await read(query)).obj as {
      from: number;
      to: number;
      buckets: { seconds: number }[];
    };
    return { from, to, seconds: buckets.map(({ seconds }) => seconds) };
  };
  expect(await shown('')).toEqual({ from: now - DAY, to: now, seconds: [300] });
  expect(await shown(`?to=${START + 1}`)).toEqual({ from: START + 1 - DAY, to: START + 1, seconds: [300] });
  expect(await shown(`?from=${now - 2 * DAY}`)).toEqual({ from: now - 2 * DAY, to: now, seconds: [300] });
  expect(await shown(`?from=${now - 2 * DAY - 1}`)).toMatchObject({ seconds: [3_600] });
  expect(await shown(`?from=${now - 60 * DAY}`)).toMatchObject({ seconds: [3_600] });
  expect(await shown(`?from=0&to=${now + DAY}`)).toEqual({ from: 0, to: now + DAY, seconds: [86_400] });
  expect(await shown('?to=5')).toEqual({ from: 5 - DAY, to: 5, seconds: [] });
  expect((await read(`?from=${now + 1}`)).msg).toBe('the range is empty: "from" must be before "to"');
});

it('returns the bucket that a range begins in, also after entries were rolled up into longer ones', async () => {
  await panel.addClient('alice');
  await move(5, 0);
  await panel.advance(3 * DAY);
  await createRollUp({ store: panel.store, clock: panel.clock }).run();
  for (const bucket of [300, 3_600, 86_400])
    expect((await read(`?from=${START + HOUR / 2}&to=${START + HOUR}&bucket=${bucket}`)).obj).toMatchObject({
      buckets: [{ start: START, seconds: Math.max(bucket, 3_600), up: 5 }],
    });
  expect((await read(`?from=${START + HOUR}&to=${START + DAY}&bucket=300`)).obj).toMatchObject({ buckets: [] });
});

it('cuts days at midnight UTC where the panel’s clock goes forward, so that a short day loses nothing', async () => {
  await panel.set({ timeLocation: 'Europe/Berlin' });
  // Clocks there go from 02:00 to 03:00 on 2024-03-31, which is 01:00 UTC.
  const midnight = Date.UTC(2024, 2, 31);
  await goTo(midnight - 1);
  await panel.addClient('alice');
  for (const waitMs of [1, HOUR, HOUR, 21 * HOUR, HOUR]) {
    await move(1, 0);
    await panel.advance(waitMs);
  }
  await move(1, 0);
  const { obj } = await read(`?from=${midnight - DAY}&to=${midnight + 2 * DAY}&bucket=86400`);
  expect((obj as { buckets: object[] }).buckets).toMatchObject([
    { start: midnight - DAY, up: 1 },
    { start: midnight, up: 4 },
    { start: midnight + DAY, up: 1 },
  ]);
});

it('follows a client to its new name, and a new client with an old name starts empty', async () => {
  const alice = await panel.addClient('alice');
  await move(10, 1);
  await panel.advance(1_000);
  await panel.renameClient(alice, 'Alicia');
  expect((await panel.get('/clients/ledger/ALICIA')).obj).toMatchObject({
    email: 'Alicia',
    ledger: { up: 10, down: 1 },
    buckets: [{ source: 'core', up: 10, down: 1 }],
  });
  expect(await read()).toMatchObject({ success: false, msg: 'client "alice" not found' });
  await panel.deleteClient(alice);
  expect((await panel.get('/clients/ledger/Alicia')).msg).toBe('client "Alicia" not found');
  await panel.addClient('alice');
  expect((await read()).obj).toMatchObject({ counters: { up: 0, down: 0 }, ledger: { up: 0, down: 0 }, buckets: [] });
  expect((await panel.post('/clients/ledger/alice/recount')).obj).toEqual({
    before: { up: 0, down: 0 },
    after: { up: 0, down: 0 },
  });
});

it('repairs counters changed from outside', async () => {
  const alice = await panel.addClient('alice');
  await move(10, 100);
  await panel.store.write((trx) =>
    trx.updateTable('clientStates').set({ upBytes: 5_000, downBytes: 1 }).where('clientId', '=', alice).execute(),
  );
  expect((await read()).obj).toMatchObject({ counters: { up: 5_000, down: 1 }, ledger: { up: 10, down: 100 } });
  expect(await panel.post('/clients/ledger/ALICE/recount')).toEqual({
    success: true,
    msg: 'The counters have been recomputed from the ledger.',
    obj: { before: { up: 5_000, down: 1 }, after: { up: 10, down: 100 } },
  });
  expect(await panel.state(alice)).toMatchObject({ upBytes: 10, downBytes: 100 });
  expect(panel.events).toContainEqual({ type: 'invalidate', resource: 'clients' });
});

it('refuses unknown clients and invalid ranges with their own errors', async () => {
  expect(await read()).toMatchObject({ success: false, msg: 'client "alice" not found' });
  expect(await panel.post('/clients/ledger/alice/recount')).toMatchObject({ success: false });
  await panel.addClient('alice');
  expect((await read('?from=5&to=5')).msg).toBe('the range is empty: "from" must be before "to"');
  for (const [query, field] of [
    ['?from=-1', 'from'],
    ['?to=1e99', 'to'],
    ['?to=99999999999999999', 'to'],
    ['?bucket=60', 'bucket'],
    ['?from=1&from=2', 'from'],
  ] as const)
    expect((await read(query)).obj).toMatchObject({ issues: [{ field }] });
});

describe('roll-up', () => {
  const spans = async () => {
    const { rows } = await sql<{ spanSec: number; n: number }>`
      SELECT spanSec, count(*) AS n FROM trafficLedger GROUP BY spanSec ORDER BY spanSec`.execute(panel.store.reader);
    return rows;
  };

  it('keeps every sum exact from five minutes to hours, days and forever', async () => {
    const { store, clock } = panel;
    const rollUp = createRollUp({ store, clock });
    const alice = await panel.addClient('alice');
    const bob = await panel.addClient('bob');
    for (let i = 0; i < 24; i++) {
      await move(1, 10);
      panel.core.move('users', 'bob', 5, 0);
      if (i === 12) await panel.resetClient(alice);
      await panel.advance(300_000);
    }
    await panel.service().finalRead();
    await rollUp.run();
    expect(await spans()).toEqual([{ spanSec: 300, n: 24 + 24 + 1 }]);
    const total = await panel.ledgerSum(alice);
    expect(total).toEqual({ up: 11, down: 110 });

    await panel.advance(2 * DAY + 300_000);
    await rollUp.run();
    expect(await spans()).toEqual([
      { spanSec: 300, n: 1 },
      { spanSec: 3600, n: 2 + 2 + 1 },
    ]);
    expect((await read(`?from=${START}&to=${START + DAY}&bucket=300`)).obj).toMatchObject({
      buckets: [
        { start: START, seconds: 3600, source: 'core', up: 12, down: 120 },
        { start: START + HOUR, seconds: 3600, source: 'core', up: 12, down: 120 },
        { start: START + HOUR, seconds: 3600, source: 'reset', up: -13, down: -130 },
      ],
    });

    await panel.advance(60 * DAY);
    await rollUp.run();
    expect(await spans()).toEqual([{ spanSec: 86_400, n: 3 }]);
    await panel.deleteClient(bob);
    await panel.advance(5 * 366 * DAY);
    await rollUp.run();
    expect(await spans()).toEqual([{ spanSec: 0, n: 2 }]);
    expect(await panel.ledgerSum(alice)).toEqual(total);
    expect((await read()).obj).toMatchObject({ counters: total, ledger: total });
    await move(1, 1);
    expect((await read()).obj).toMatchObject({ ledger: { up: 12, down: 111 } });
  });

  it('works in batches that together cover a bucket of any size', async () => {
    const { store, clock } = panel;
    const ids = Array.from({ length: 4_100 }, (_, i) => i + 1);
    await store.write(async (trx) => {
      await sql`INSERT INTO clients (id, email, emailKey, subId, uuid, password, auth, flow, security, reverse, limitIp, tgId, groupName, comment, createdAtMs, updatedAtMs)
        SELECT value, 'c' || value, 'c' || value, '', '', '', '', '', '', '', 0, 0, '', '', 0, 0 FROM ${eachNumber(JSON.stringify(ids))} AS j`.execute(
        trx,
      );
      await sql`INSERT INTO trafficSources (id, kind, guid, bootId) VALUES (1, 'core', 'g', ''), (2, 'node', 'n', '')`.execute(
        trx,
      );
      await sql`INSERT INTO trafficLedger SELECT 300, ${START / 1000}, value, source.id, 1, 2
        FROM ${eachNumber(JSON.stringify(ids))} AS j CROSS JOIN trafficSources AS source`.execute(trx);
    });
    await panel.advance(3 * DAY);
    await createRollUp({ store, clock }).run();
    const { rows } = await sql`SELECT spanSec, count(*) AS n, sum(upBytes) AS up, sum(downBytes) AS down
      FROM trafficLedger GROUP BY spanSec`.execute(store.reader);
    expect(rows).toEqual([{ spanSec: 3600, n: 8_200, up: 8_200, down: 16_400 }]);
  });
});

it.each(['2023-12-01', '2024-01-01'])(
  'books traffic around the midnight of %s on the side it is read on',
  async (day) => {
    const midnight = Date.parse(`${day}T00:00Z`);
    const alice = await panel.addClient('alice');
    await goTo(midnight - 1_000);
    await move(1, 10);
    // The core kept counting in the last second of the month; the next one reads it.
    panel.core.move('users', 'alice', 2, 20);
    await panel.advance(1_000);
    await panel.service().finalRead();
    await panel.advance(1_000);
    await move(4, 40);
    const { rows } = await sql`SELECT bucketStartSec AS start, upBytes AS up, downBytes AS down FROM trafficLedger
      WHERE clientId = ${alice} ORDER BY bucketStartSec`.execute(panel.store.reader);
    expect(rows).toEqual([
      { start: midnight / 1000 - 300, up: 1, down: 10 },
      { start: midnight / 1000, up: 6, down: 60 },
    ]);
    expect(await panel.state(alice)).toMatchObject({ upBytes: 7, downBytes: 70 });
  },
);
