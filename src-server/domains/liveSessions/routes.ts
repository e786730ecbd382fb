import { bind, type BindContext } from '../../http/bind.ts';
import * as contract from './contract.ts';
import type { LiveSessionService } from './service.ts';

export function liveSessionRoutes(ctx: BindContext, sessions: LiveSessionService): void {
  bind(ctx, contract.listLiveSessions, ({ query }) => sessions.list(query));
  bind(ctx, contract.endLiveSessions, ({ body }) => sessions.end(body));
}
