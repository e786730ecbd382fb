import { bind, type BindContext } from '../../http/bind.ts';
import { runBulk } from '../clients/list/watch.ts';
import type { JobService } from '../jobs/service.ts';
import * as contract from './contract.ts';
import type { PlanService } from './service.ts';

export function planRoutes(ctx: BindContext, plans: PlanService, jobs: Pick<JobService, 'start'>): void {
  bind(ctx, contract.listPlans, () => plans.list());
  bind(ctx, contract.addPlan, ({ body, request }) => plans.add(body, request.requestId));
  bind(ctx, contract.updatePlan, ({ params, body, request }) => plans.update(params.id, body, request.requestId));
  bind(ctx, contract.deletePlan, ({ params, request }) => plans.remove(params.id, request.requestId));
  bind(ctx, contract.previewPlan, ({ params, body }) => plans.preview(params.id, body));
  bind(ctx, contract.applyPlan, async ({ params, body, request }) => {
    const total = body.emails?.length ?? (await plans.countClients(params.id));
    return runBulk(jobs, {
      kind: 'applyPlan',
      title: `Bring a plan to ${total} clients`,
      total,
      work: (watch) => plans.apply(params.id, body, request.requestId, watch),
    });
  });
}
