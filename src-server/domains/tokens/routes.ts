import type { Context } from 'koa';
import { bind, type BindContext } from '../../http/bind.ts';
import { stateOf } from '../../http/request-state.ts';
import * as contract from './contract.ts';
import type { TokenChange, TokenService } from './service.ts';

/** Mounts the API tokens. */
export function tokenRoutes(ctx: BindContext, tokens: TokenService): void {
  bind(ctx, contract.listApiTokens, () => tokens.list());
  bind(ctx, contract.createApiToken, ({ body, koa }) => tokens.create(changeBy(koa, body), body.name));
  bind(ctx, contract.deleteApiToken, async ({ params, body, koa }) => {
    await tokens.delete(changeBy(koa, body), params.id);
    return null;
  });
  bind(ctx, contract.setApiTokenEnabled, async ({ params, body, koa }) => {
    await tokens.setEnabled(changeBy(koa, body), params.id, body.enabled);
    return null;
  });
}

function changeBy(koa: Context, proof: TokenChange['proof']): TokenChange {
  const { info, session } = stateOf(koa);
  return { caller: info.caller, signedInAtMs: session?.createdAtMs ?? null, address: info.address, proof };
}
