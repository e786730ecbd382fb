import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { unbalanced } from '../../testing/journal/captured-state.ts';
import { createRandomChanges, MAX_KIND, seen, type Target } from '../../testing/journal/random-changes.ts';
import { openPanel, type TestPanel } from '../../testing/panels/open-panel.ts';

const STEPS = 200;
const number = fc.nat({ max: 1_000_000 });
const steps = fc.array(fc.tuple(fc.nat({ max: MAX_KIND }), number, number, number), {
  minLength: STEPS,
  maxLength: STEPS,
});

type Seen = Target & { panel: TestPanel };
const targetOf = (panel: TestPanel): Seen => ({ panel, db: panel.store.reader, read: panel.read, post: panel.post });

/** Traffic of a client: never journaled, never undone. */
async function move(on: Target, email: string, bytes: number): Promise<void> {
  const { panel } = on as Seen;
  const row = await panel.store.reader.selectFrom('clients').select('id').where('email', '=', email).executeTakeFirst();
  if (row === undefined) return;
  panel.write('UPDATE clientStates SET upBytes = upBytes + ? WHERE clientId = ?', bytes, row.id);
  panel.write(`INSERT INTO trafficSources (kind, guid, bootId) VALUES ('node', 'n', '') ON CONFLICT DO NOTHING`);
  panel.write(
    `INSERT INTO trafficLedger (spanSec, bucketStartSec, clientId, sourceId, upBytes, downBytes)
     SELECT 300, 0, ?, id, ?, 0 FROM trafficSources WHERE kind = 'node'
     ON CONFLICT (spanSec, bucketStartSec, clientId, sourceId) DO UPDATE SET upBytes = trafficLedger.upBytes + excluded.upBytes`,
    row.id,
    bytes,
  );
}

test('200 changes and undos end in the same state as a plain replay', { timeout: 240_000 }, async () => {
  let undone = 0;
  let refused = 0;
  await fc.assert(
    fc.asyncProperty(steps, async (sequence) => {
      const panel = await openPanel();
      const plain = await openPanel();
      try {
        const changes = createRandomChanges(targetOf(panel), { firstPort: 5_000, move });
        for (const [n, step] of sequence.entries()) await changes.run(step, n);
        undone += changes.counts.undone;
        refused += changes.counts.refused;
        expect(await unbalanced(panel.store.reader)).toEqual([]);
        await changes.replay(targetOf(plain));
        expect(await seen(targetOf(panel))).toEqual(await seen(targetOf(plain)));
      } finally {
        await panel.close();
        await plain.close();
      }
    }),
    // The same sequences each time; `npm run soak` tries others, with kills among them.
    { numRuns: 2, seed: 1, endOnFailure: true },
  );
  expect(undone).toBeGreaterThan(5);
  expect(refused).toBeGreaterThan(0);
});
