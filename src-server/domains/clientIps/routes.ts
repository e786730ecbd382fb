import { bind, type BindContext } from '../../http/bind.ts';
import { JsonList } from '../../http/json-list.ts';
import * as contract from './contract.ts';
import type { ClientIpService } from './service.ts';

export function clientIpRoutes(ctx: BindContext, ips: ClientIpService): void {
  bind(ctx, contract.clientIps, ({ params }) => ips.log(params.email));
  bind(ctx, contract.clearClientIps, ({ params, request }) => ips.clear(params.email, request.requestId));
  bind(ctx, contract.clientIpsByGuid, () => ips.byGuid());
  bind(ctx, contract.onlinesByGuid, () => ips.onlinesByGuid());
  bind(ctx, contract.listClientIps, () => new JsonList(ips.table()));
  bind(ctx, contract.mergeClientIps, ({ body }) => ips.mergeTable(body.ips));
  bind(ctx, contract.ipBanStatus, () => ips.status());
}
