import { bind, type BindContext } from '../../http/bind.ts';
import { scanRealityTarget, scanRealityTargets } from './contract.ts';
import type { RealityScanService } from './service.ts';

export function realityScanRoutes(ctx: BindContext, scanner: RealityScanService): void {
  bind(ctx, scanRealityTarget, ({ body }) =>
    scanner.scan(body.target ?? '', { sni: body.sni ?? '', allowPrivate: body.allowPrivate ?? false }),
  );
  bind(ctx, scanRealityTargets, ({ body }) =>
    body.background === true ? scanner.startBatch(body.targets ?? '') : scanner.batch(body.targets ?? ''),
  );
}
