import { bind, type BindContext } from '../../http/bind.ts';
import {
  getCoreMetricsHistory,
  getCoreMetricsState,
  getCoreObservatory,
  getCoreObservatoryHistory,
  getCpuHistory,
  getHistories,
  getHistory,
} from './contract.ts';
import type { MetricsService } from './service.ts';

export function metricsRoutes(ctx: BindContext, metrics: MetricsService): void {
  bind(ctx, getHistory, ({ params }) => metrics.history(params.metric, params.bucket));
  bind(ctx, getHistories, ({ params, query }) => metrics.histories(query.metrics.split(','), params.bucket));
  bind(ctx, getCpuHistory, ({ params }) => metrics.cpuHistory(params.bucket));
  bind(ctx, getCoreMetricsHistory, ({ params }) => metrics.coreHistory(params.metric, params.bucket));
  bind(ctx, getCoreMetricsState, () => metrics.coreState());
  bind(ctx, getCoreObservatory, () => metrics.observed());
  bind(ctx, getCoreObservatoryHistory, ({ params }) => metrics.observedHistory(params.tag, params.bucket));
}
