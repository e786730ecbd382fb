import { sql } from 'kysely';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { trafficPanel, type TrafficPanel } from '../../../testing/panels/traffic-panel.ts';
import { createRollUp } from './roll-up.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const FOUR_YEARS = 4 * 365 * DAY;

type Step =
  | { do: 'move'; up: number; down: number }
  | { do: 'reset' }
  | { do: 'set'; up: number; down: number }
  | { do: 'wait'; ms: number }
  | { do: 'rollUp'; beside: boolean };

const bytes = fc.integer({ min: 0, max: 1_000_000_000 });
/** From a moment to months, each order of magnitude equally likely. */
const waiting = fc.oneof(
  fc.integer({ min: 1, max: HOUR }),
  fc.integer({ min: HOUR, max: 3 * DAY }),
  fc.integer({ min: 3 * DAY, max: 100 * DAY }),
);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('move' as const), up: bytes, down: bytes }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('wait' as const), ms: waiting }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('rollUp' as const), beside: fc.boolean() }) },
  { weight: 1, arbitrary: fc.constant<Step>({ do: 'reset' }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('set' as const), up: bytes, down: bytes }) },
);

let panel: TrafficPanel;
let round = 0;
beforeAll(async () => {
  panel = await trafficPanel();
});
afterAll(async () => {
  await panel.close();
});

/** What each source has counted, at any bucket length. */
async function sumsBySource(clientId: number): Promise<unknown[]> {
  const { rows } = await sql`SELECT sourceId, sum(upBytes) AS up, sum(downBytes) AS down
    FROM trafficLedger WHERE clientId = ${clientId} GROUP BY sourceId ORDER BY sourceId`.execute(panel.store.reader);
  return rows;
}

/** Traffic by source: in the sums used for charts, and in the ledger. */
async function chartTotals(): Promise<unknown[]> {
  const { rows } = await sql`SELECT sourceId, sum(upBytes) AS up, sum(downBytes) AS down
    FROM trafficTotals WHERE kind = 'all' GROUP BY sourceId`.execute(panel.store.reader);
  return rows;
}
async function ledgerTotals(): Promise<unknown[]> {
  const { rows } = await sql`SELECT sourceId, sum(upBytes) AS up, sum(downBytes) AS down
    FROM trafficLedger JOIN trafficSources AS source ON source.id = sourceId
    WHERE source.kind = 'core' GROUP BY sourceId`.execute(panel.store.reader);
  return rows;
}

interface Ledger {
  counters: { up: number; down: number };
  ledger: { up: number; down: number };
  buckets: { up: number; down: number }[];
}

async function apply(action: Step, email: string, clientId: number): Promise<void> {
  const { core, store, clock } = panel;
  switch (action.do) {
    case 'move':
      core.move('users', email, action.up, action.down);
      return panel.service().finalRead();
    case 'wait':
      return panel.advance(action.ms);
    case 'reset':
      return panel.resetClient(clientId);
    case 'set': {
      const counters = { upBytes: action.up, downBytes: action.down };
      await store.write((trx) => panel.service().port.setCounters(trx, [clientId], counters, 'manual', clock()));
      return;
    }
    case 'rollUp': {
      const before = await sumsBySource(clientId);
      // During a reading: new bytes go to a bucket that is not due.
      const reading = action.beside ? panel.service().finalRead() : undefined;
      await createRollUp({ store, clock }).run();
      await reading;
      expect(await sumsBySource(clientId)).toEqual(before);
    }
  }
}

it('a roll-up at any point of any history loses no byte of any source, and every view of it adds up', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), async (steps) => {
      const email = `client-${round++}`;
      const clientId = await panel.addClient(email);
      const beganAtMs = panel.clock();
      for (const action of steps) await apply(action, email, clientId);
      await apply({ do: 'rollUp', beside: false }, email, clientId);
      expect(await chartTotals()).toEqual(await ledgerTotals());
      const { upBytes, downBytes } = await panel.state(clientId);
      const counters = { up: upBytes, down: downBytes };
      // Entries older than five years are carried, and no longer shown.
      if (panel.clock() - beganAtMs > FOUR_YEARS) return;
      for (const bucket of [300, 3_600, 86_400]) {
        const query = `?from=${beganAtMs}&to=${panel.clock() + 1}&bucket=${bucket}`;
        const { obj } = (await panel.get(`/clients/ledger/${email}${query}`)) as { obj: Ledger };
        expect(obj).toMatchObject({ counters, ledger: counters });
        const sum = (key: 'up' | 'down') => obj.buckets.reduce((total, each) => total + each[key], 0);
        expect({ up: sum('up'), down: sum('down') }).toEqual(counters);
      }
    }),
    { numRuns: 40 },
  );
});
