import { bind, type BindContext } from '../../http/bind.ts';
import * as contract from './contract.ts';
import type { DirectoryService } from './service.ts';

export function directoryRoutes(ctx: BindContext, directory: DirectoryService): void {
  bind(ctx, contract.getDirectoryState, () => directory.state());
  bind(ctx, contract.testDirectory, () => directory.test());
  bind(ctx, contract.planDirectory, () => directory.plan());
  bind(ctx, contract.applyDirectory, ({ body, request }) => directory.apply(body.id, request.requestId));
}
