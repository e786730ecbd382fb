import { CompiledQuery, type QueryExecutor } from 'kysely';
import { expect, test } from 'vitest';
import type { WriteTransaction } from '../../../../store/open-store.ts';
import { startNodePair } from '../../../../testing/panels/node-pair.ts';
import * as rows from './repository-pull.ts';

/** Runs `work` and returns the plans of its statements, as SQLite tells of them. */
async function plansOf(trx: WriteTransaction, work: (trx: WriteTransaction) => Promise<unknown>): Promise<string[]> {
  const asked: CompiledQuery[] = [];
  const executor = new Proxy(trx.getExecutor(), {
    get(target: QueryExecutor, key) {
      if (key === 'executeQuery')
        return (query: CompiledQuery) => {
          asked.push(query);
          return target.executeQuery(query);
        };
      const value: unknown = Reflect.get(target, key);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
  await work({ getExecutor: () => executor } as unknown as WriteTransaction);
  const plans: string[] = [];
  for (const { sql, parameters } of asked) {
    const plan = await trx.executeQuery<{ detail: string }>(
      CompiledQuery.raw(`EXPLAIN QUERY PLAN ${sql}`, [...parameters]),
    );
    plans.push(...plan.rows.map(({ detail }) => detail));
  }
  return plans;
}

test('a reading looks at the clients it names, and never at every client there is', async () => {
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
    await rows.fillReading(trx, {
      emailKeys: [],
      up: none,
      down: none,
      isEnabled: none,
      expiresAtMs: none,
      lastOnlineAtMs: none,
    });
    return plansOf(trx, async (watched) => {
      await rows.measureReading(watched, merge);
      await rows.creditReading(watched, merge);
      await rows.raiseLastOnline(watched, merge);
      await rows.startDelayed(watched, merge);
      await rows.disableAsThere(watched, merge.nodeId);
    });
  });
  await pair.close();
  expect(plans).not.toEqual([]);
  expect(plans.filter((detail) => /SCAN (?:clientStates|state|client)\b|AUTOMATIC/.test(detail))).toEqual([]);
});
