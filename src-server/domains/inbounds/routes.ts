import { bind, type BindContext } from '../../http/bind.ts';
import { JsonPieces } from '../../http/json-list.ts';
import * as contract from './contract.ts';
import type { InboundService } from './service.ts';

export function inboundRoutes(context: BindContext, inbounds: InboundService): void {
  bind(context, contract.listInbounds, ({ koa }) => {
    // Lets a panel above detect responses that something in between replays.
    const order = inbounds.nextResponseOrder();
    if (order !== '') koa.set('X-Answer-Order', order);
    return new JsonPieces(inbounds.list(), inbounds.asOf());
  });
  bind(context, contract.listSlimInbounds, () => new JsonPieces(inbounds.listSlim(), inbounds.asOf()));
  bind(context, contract.listCountedInbounds, () => inbounds.listCounted());
  bind(context, contract.listInboundOptions, () => inbounds.options());
  bind(context, contract.getInbound, ({ params }) => inbounds.get(params.id));
  bind(context, contract.getCountedInbound, ({ params }) => inbounds.getCounted(params.id));
  bind(context, contract.countSoleClients, async ({ body }) => ({ count: await inbounds.countOnlyAt(body.ids) }));
  bind(context, contract.addInbound, ({ body, request }) => inbounds.add(body, request.requestId));
  bind(context, contract.updateInbound, ({ params, body, request }) =>
    inbounds.update(params.id, body, request.requestId),
  );
  bind(context, contract.checkInboundPlace, ({ body }) => inbounds.checkPlace(body));
  bind(context, contract.checkInboundCertificates, ({ body }) => inbounds.checkCertificates(body));
  bind(context, contract.setInboundEnable, ({ params, body, request }) =>
    inbounds.setEnable(params.id, body.enable, request.requestId),
  );
  bind(context, contract.deleteInbound, ({ params, request }) => inbounds.remove(params.id, request.requestId));
  bind(context, contract.bulkDeleteInbounds, ({ body, request }) => inbounds.bulkRemove(body.ids, request.requestId));
  bind(context, contract.resetInboundTraffic, async ({ params, request }) => {
    await inbounds.resetTraffic(params.id, request.requestId);
    return null;
  });
  bind(context, contract.resetAllInboundTraffics, async ({ request }) => {
    await inbounds.resetAllTraffics(request.requestId);
    return null;
  });
  bind(context, contract.deleteInboundClients, ({ params, request }) =>
    inbounds.removeClients(params.id, request.requestId),
  );
  bind(context, contract.importInbound, ({ body, request }) => inbounds.import(body.data, request.requestId));
  bind(context, contract.listFallbacks, ({ params }) => inbounds.fallbacks(params.id));
  bind(context, contract.replaceFallbacks, ({ params, body, request }) =>
    inbounds.replaceFallbacks(params.id, body.fallbacks, request.requestId),
  );
}
