import { bind, type BindContext } from '../../../http/bind.ts';
import { driftBoard, readDrift, setRemoteEdits, settleDrift } from './contract.ts';
import type { DriftService } from './service.ts';

export function driftRoutes(ctx: BindContext, drift: DriftService): void {
  bind(ctx, readDrift, ({ params }) => drift.read(params.id));
  bind(ctx, driftBoard, ({ params, query }) => drift.board(params.id, query));
  bind(ctx, settleDrift, ({ params, body }) => drift.settle(params.id, body));
  bind(ctx, setRemoteEdits, async ({ params, body }) => {
    await drift.setRemoteEdits(params.id, body.remoteEdits);
    return null;
  });
}
