import { bind, type BindContext } from '../../http/bind.ts';
import * as contract from './contract.ts';
import type { JobService } from './service.ts';

export function jobRoutes(ctx: BindContext, jobs: JobService): void {
  bind(ctx, contract.listJobs, () => jobs.list());
  bind(ctx, contract.getJob, ({ params }) => jobs.get(params.id));
  bind(ctx, contract.cancelJob, ({ params }) => jobs.cancel(params.id));
}
