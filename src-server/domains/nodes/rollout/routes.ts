import { bind, type BindContext } from '../../../http/bind.ts';
import { getRollout, nodeVersions, startRollout } from './contract.ts';
import type { RolloutService } from './service.ts';

export function rolloutRoutes(ctx: BindContext, rollouts: RolloutService): void {
  bind(ctx, nodeVersions, () => rollouts.versions());
  bind(ctx, getRollout, () => rollouts.last());
  bind(ctx, startRollout, ({ body }) => rollouts.start(body));
}
