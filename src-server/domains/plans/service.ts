import { announce } from '../../contract/announce.ts';
import type { Basics } from '../basics.ts';
import { DomainError } from '../../contract/domain-error.ts';
import type { WriteTransaction } from '../../store/open-store.ts';
import type { PlanVerbs } from '../clients/bulk/bulk-plan.ts';
import type { RequestId } from '../clients/bulk/change-runner.ts';
import type { Watch } from '../clients/list/watch.ts';
import { credentialOf } from '../clients/rules/credential-rules.ts';
import { inboundFacts } from '../clients/storage/repository-read.ts';
import { MAX_PLANS, type Plan, type PlanInput, type PlanApplication } from './contract.ts';
import { presentPlan, type StoredPlan } from './present.ts';
import * as rows from './repository.ts';

export interface PlanServiceDeps extends Pick<Basics, 'store' | 'clock' | 'publish'> {
  /** Changes clients; a plan itself is not part of any core's config. */
  clients: PlanVerbs;
}

/** Named sets of what a client gets. */
export function createPlanService({ store, clients, clock, publish }: PlanServiceDeps) {
  async function change<T>(requestId: string, work: (trx: WriteTransaction) => Promise<T>): Promise<T> {
    const result = await store.write(work);
    announce(publish, ['clients'], requestId);
    return result;
  }

  async function stored(db: Parameters<typeof rows.plansByIds>[0], id: number): Promise<StoredPlan> {
    const plan = (await rows.plansByIds(db, [id])).get(id);
    if (plan === undefined) throw new DomainError('plan.unknown', { id });
    return plan;
  }

  async function shown(id: number): Promise<Plan> {
    const counts = await rows.clientCounts(store.reader);
    return presentPlan(await stored(store.reader, id), counts.get(id) ?? 0);
  }

  return {
    /** By name, ignoring case. */
    async list(): Promise<Plan[]> {
      const counts = await rows.clientCounts(store.reader);
      const plans = await rows.allPlans(store.reader);
      plans.sort((a, b) => (a.nameKey < b.nameKey ? -1 : 1));
      return plans.map((plan) => presentPlan(plan, counts.get(plan.id) ?? 0));
    },
    /** @throws {DomainError} `plan.nameTaken`, `plan.tooMany`, `plan.inboundUnknown`, `plan.protocolWithoutClients` */
    async add(plan: PlanInput, requestId: string): Promise<Plan> {
      const id = await change(requestId, async (trx) => {
        if ((await rows.allPlans(trx)).length >= MAX_PLANS) throw new DomainError('plan.tooMany', { max: MAX_PLANS });
        await check(trx, plan, null);
        return rows.insertPlan(trx, plan, clock());
      });
      return shown(id);
    },
    /** @throws {DomainError} `plan.unknown`, and what {@link add} throws */
    async update(id: number, plan: PlanInput, requestId: string): Promise<Plan> {
      await change(requestId, async (trx) => {
        const before = await stored(trx, id);
        await check(trx, plan, id);
        await rows.replacePlan(trx, before, plan, clock());
      });
      return shown(id);
    },
    /** @returns number of clients that had it. @throws {DomainError} `plan.unknown` */
    remove(id: number, requestId: string): Promise<{ affected: number }> {
      return change(requestId, async (trx) => {
        await stored(trx, id);
        return { affected: await rows.deletePlanRows(trx, id, clock()) };
      });
    },
    async countClients(id: number): Promise<number> {
      return (await rows.clientCounts(store.reader)).get(id) ?? 0;
    },
    /** Changes nothing. @throws {DomainError} `plan.unknown` */
    async preview(id: number, application: PlanApplication) {
      return clients.previewPlan(presentPlan(await stored(store.reader, id), 0), application);
    },
    /** @throws {DomainError} `plan.unknown`, `client.workCancelled` */
    async apply(id: number, application: PlanApplication, requestId: RequestId, watch?: Watch) {
      const read = async (trx: WriteTransaction): Promise<Plan> => presentPlan(await stored(trx, id), 0);
      return clients.bulkPlan(read, application, requestId, watch);
    },
  };
}
export type PlanService = ReturnType<typeof createPlanService>;

/** @param id of the changed plan; null = a new one */
async function check(trx: WriteTransaction, plan: PlanInput, id: number | null): Promise<void> {
  const namesake = await rows.planNamed(trx, plan.name);
  if (namesake !== undefined && namesake !== id) throw new DomainError('plan.nameTaken', { name: plan.name });
  const inbounds = await inboundFacts(trx, plan.inboundIds);
  for (const inboundId of plan.inboundIds) {
    const inbound = inbounds.get(inboundId);
    if (inbound === undefined) throw new DomainError('plan.inboundUnknown', { id: inboundId });
    if (credentialOf(inbound.protocol) === null)
      throw new DomainError('plan.protocolWithoutClients', { id: inboundId, protocol: inbound.protocol });
  }
}
