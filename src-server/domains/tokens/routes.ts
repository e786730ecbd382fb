import { bind, type BindContext } from '../../http/bind.ts';
import { delicateChange } from '../../http/guards/delicate-change.ts';
import * as contract from './contract.ts';
import type { TokenService } from './service.ts';

/** Mounts the API tokens. */
export function tokenRoutes(ctx: BindContext, tokens: TokenService): void {
  bind(ctx, contract.listApiTokens, () => tokens.list());
  bind(ctx, contract.createApiToken, ({ body, koa }) => tokens.create(delicateChange(koa, body), body.name));
  bind(ctx, contract.deleteApiToken, async ({ params, body, koa }) => {
    await tokens.delete(delicateChange(koa, body), params.id);
    return null;
  });
  bind(ctx, contract.setApiTokenEnabled, async ({ params, body, koa }) => {
    await tokens.setEnabled(delicateChange(koa, body), params.id, body.enabled);
    return null;
  });
}
