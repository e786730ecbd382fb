import { DomainError } from '../../../contract/domain-error.ts';
import type { Publish } from '../../../contract/events.ts';
import type { Store } from '../../../store/open-store.ts';
import type { NodePlan } from './contract.ts';
import type { KnownNode, Registry } from '../registry.ts';
import type { Plan } from './plan.ts';
import * as rows from './repository-plans.ts';

interface PlanDeps {
  store: Pick<Store, 'write' | 'backup'>;
  registry: Pick<Registry, 'get'>;
  deliver: (nodeId: number) => void;
  publish: Publish;
}

/** The operator's decisions on waiting plans. */
export function createPlanDecisions({ store, registry, deliver, publish }: PlanDeps) {
  function requireNode(id: number): KnownNode {
    const node = registry.get(id);
    if (node === undefined) throw new DomainError('node.notFound');
    return node;
  }

  /** @throws {DomainError} `node.planChanged` when it is no longer the plan that the operator has seen */
  function requirePlan(node: KnownNode, digest: string): Plan {
    const plan = node.plans.waiting.find((each) => each.digest === digest);
    if (plan === undefined) throw new DomainError('node.planChanged');
    return plan;
  }

  function finish(node: KnownNode, decided: Plan): void {
    node.plans.waiting = node.plans.waiting.filter((each) => each !== decided);
    publish({ type: 'invalidate', resource: 'nodes' });
    deliver(node.row.id);
  }

  return {
    /** @throws {DomainError} `node.notFound` */
    list: (id: number): NodePlan[] =>
      requireNode(id).plans.waiting.map(({ kind, digest, foundAtMs, inbounds, clients }) => ({
        kind,
        digest,
        foundAt: foundAtMs,
        inbounds,
        clients: clients.map(({ email }) => email),
      })),

    /** Confirms the plan, after a backup of this panel. @throws {DomainError} `node.notFound`, `node.planChanged` */
    async confirm(id: number, digest: string): Promise<void> {
      const node = requireNode(id);
      const plan = requirePlan(node, digest);
      await store.backup('fleet');
      if (plan.kind === 'delete') await store.write((trx) => rows.confirmDeletion(trx, id, plan));
      else {
        for (const inbound of plan.inbounds) node.plans.resend.inbounds.add(inbound.id);
        for (const client of plan.clients) node.plans.resend.clients.add(client.id);
      }
      finish(node, plan);
    },

    /**
     * Withdraws the deletion: what was deleted here stays on the node and is adopted from there.
     * @throws {DomainError} `node.notFound`, `node.planChanged`, `node.planNotDeletion`
     */
    async takeBack(id: number, digest: string): Promise<void> {
      const node = requireNode(id);
      const plan = requirePlan(node, digest);
      if (plan.kind !== 'delete') throw new DomainError('node.planNotDeletion');
      await store.write((trx) => rows.takeBackDeletion(trx, id, plan));
      // Everything on the node is read again.
      node.stamps.clear();
      node.settled = null;
      finish(node, plan);
    },
  };
}
