import { CompiledQuery } from 'kysely';
import { expect, test } from 'vitest';
import { runScript, type Step } from '../../../../store/batch.ts';
import type { WriteTransaction } from '../../../../store/open-store.ts';
import { startNodePair } from '../../../../testing/panels/node-pair.ts';
import { endedCounts, PLACES } from '../../overview/repository-counts.ts';
import * as rows from './repository-pull.ts';

/** Query plans as reported by SQLite. */
async function plansOf(trx: WriteTransaction, steps: readonly Step[]): Promise<string[]> {
  const plans: string[] = [];
  for (const step of steps) {
    const { sql, parameters } = ('query' in step ? step.query : step).compile(trx);
    const plan = await trx.executeQuery<{ detail: string }>(
      CompiledQuery.raw(`EXPLAIN QUERY PLAN ${sql}`, [...parameters]),
    );
    plans.push(...plan.rows.map(({ detail }) => detail));
  }
  return plans;
}

test('a reading searches the clients it names, and never scans all clients', async () => {
  const pair = await startNodePair();
  const merge = {
    nodeId: pair.nodeId,
    sourceId: 1,
    nowMs: 1_000,
    previousReadAtMs: 500,
    limitBytes: 1_000,
    intervalMs: 500,
  };
  const plans = await pair.central.store.write(async (trx) => {
    const none = new Float64Array();
    await runScript(
      trx,
      rows.fillReading({
        emailKeys: [],
        up: none,
        down: none,
        isEnabled: none,
        expiresAtMs: none,
        lastOnlineAtMs: none,
        lifetimeUp: none,
        lifetimeDown: none,
      }),
    );
    return plansOf(trx, [
      rows.addForgotten(pair.nodeId, ['guid-of-the-node']),
      ...rows.measureReading(merge),
      ...rows.creditReading(merge),
      rows.raiseLastOnline(merge),
      ...rows.startDelayed(merge),
      rows.disableAsThere(merge),
    ]);
  });
  await pair.close();
  expect(plans).not.toEqual([]);
  expect(plans.filter((detail) => /SCAN (?:clientStates|state|client)\b|AUTOMATIC/.test(detail))).toEqual([]);
});

test('counts of nodes search ended clients only', async () => {
  const pair = await startNodePair();
  const plans = await pair.central.store.write((trx) =>
    plansOf(
      trx,
      Object.values(PLACES).map((place) => endedCounts(place, 1_000)),
    ),
  );
  await pair.close();
  expect(
    plans.filter((detail) => /SCAN (?!.*INDEX clientStates)(?:clientStates|state|link)\b|AUTOMATIC/.test(detail)),
  ).toEqual([]);
});
