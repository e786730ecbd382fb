import { sql } from 'kysely';
import { foldText } from '../../store/fold-text.ts';
import type { WriteTransaction } from '../../store/open-store.ts';
import type { Db, Row } from '../../store/schema.ts';
import type { PlanInput } from './contract.ts';
import type { StoredPlan } from './present.ts';

async function withInbounds(db: Db, plans: readonly Row<'clientPlans'>[]): Promise<StoredPlan[]> {
  if (plans.length === 0) return [];
  const links = await db
    .selectFrom('clientPlanInbounds')
    .select(['planId', 'inboundId'])
    .orderBy('planId')
    .orderBy('inboundId')
    .execute();
  return plans.map((plan) => ({
    ...plan,
    inboundIds: links.filter(({ planId }) => planId === plan.id).map(({ inboundId }) => inboundId),
  }));
}

/** Every plan, unordered. */
export async function allPlans(db: Db): Promise<StoredPlan[]> {
  return withInbounds(db, await db.selectFrom('clientPlans').selectAll().execute());
}

/** Plans with these ids; unknown ones are absent. */
export async function plansByIds(db: Db, ids: readonly number[]): Promise<Map<number, StoredPlan>> {
  if (ids.length === 0) return new Map();
  const wanted = new Set(ids);
  // There are few plans, so the statement need not depend on the number of ids.
  const plans = (await allPlans(db)).filter(({ id }) => wanted.has(id));
  return new Map(plans.map((plan) => [plan.id, plan]));
}

/** Number of clients of each plan that has any. */
export async function clientCounts(db: Db): Promise<Map<number, number>> {
  const rows = await db
    .selectFrom('clients')
    .select(({ fn }) => ['planId', fn.countAll<number>().as('count')])
    .where('planId', '>', sql.lit(0))
    .groupBy('planId')
    .execute();
  return new Map(rows.map(({ planId, count }) => [planId, count]));
}

/** Id of the plan with this name, ignoring case. */
export async function planNamed(db: Db, name: string): Promise<number | undefined> {
  const row = await db.selectFrom('clientPlans').select('id').where('nameKey', '=', foldText(name)).executeTakeFirst();
  return row?.id;
}

const columnsOf = (plan: PlanInput) => ({
  name: plan.name,
  nameKey: foldText(plan.name),
  quotaBytes: plan.quotaBytes,
  days: plan.days,
  startsAtFirstUse: plan.startsAtFirstUse ? (1 as const) : (0 as const),
  resetDays: plan.reset,
  resetDay: plan.resetDay,
  limitIp: plan.limitIp,
  groupName: plan.group,
  flow: plan.flow,
});

/** @returns its id */
export async function insertPlan(trx: WriteTransaction, plan: PlanInput, nowMs: number): Promise<number> {
  const { id } = await trx
    .insertInto('clientPlans')
    .values({ ...columnsOf(plan), createdAtMs: nowMs, updatedAtMs: nowMs })
    .returning('id')
    .executeTakeFirstOrThrow();
  await putInbounds(trx, id, plan.inboundIds, [], nowMs);
  return id;
}

export async function replacePlan(
  trx: WriteTransaction,
  { id, inboundIds }: StoredPlan,
  plan: PlanInput,
  nowMs: number,
): Promise<void> {
  await trx
    .updateTable('clientPlans')
    .set({ ...columnsOf(plan), updatedAtMs: nowMs })
    .where('id', '=', id)
    .execute();
  await putInbounds(trx, id, plan.inboundIds, inboundIds, nowMs);
}

async function putInbounds(
  trx: WriteTransaction,
  planId: number,
  wanted: readonly number[],
  before: readonly number[],
  nowMs: number,
): Promise<void> {
  for (const inboundId of before.filter((id) => !wanted.includes(id)))
    await trx
      .deleteFrom('clientPlanInbounds')
      .where('planId', '=', planId)
      .where('inboundId', '=', inboundId)
      .execute();
  const added = [...new Set(wanted)].filter((id) => !before.includes(id));
  if (added.length > 0)
    await trx
      .insertInto('clientPlanInbounds')
      .values(added.map((inboundId) => ({ planId, inboundId, createdAtMs: nowMs })))
      .execute();
}

/** Deletes a plan and removes it from its clients. @returns number of these clients */
export async function deletePlanRows(trx: WriteTransaction, id: number, nowMs: number): Promise<number> {
  const { numUpdatedRows } = await trx
    .updateTable('clients')
    .set({ planId: 0, updatedAtMs: nowMs })
    .where('planId', '=', id)
    .where('planId', '>', sql.lit(0))
    .executeTakeFirstOrThrow();
  await trx.deleteFrom('clientPlans').where('id', '=', id).execute();
  return Number(numUpdatedRows);
}
