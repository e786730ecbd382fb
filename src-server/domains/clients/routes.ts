import { bind, type BindContext } from '../../http/bind.ts';
import { JsonList } from '../../http/json-list.ts';
import * as contract from './contract.ts';
import type { ClientService } from './service.ts';

export function clientRoutes(ctx: BindContext, clients: ClientService): void {
  bind(ctx, contract.listClients, () => new JsonList(clients.all()));
  bind(ctx, contract.listClientsPaged, ({ query }) => clients.page(query));
  bind(ctx, contract.getClient, ({ params }) => clients.get(params.email));
  bind(ctx, contract.addClient, ({ body, request }) => clients.add(body.client, body.inboundIds, request.requestId));
  bind(ctx, contract.updateClient, ({ params, query, body, request }) =>
    clients.update(params.email, body, query.inboundIds, request.requestId),
  );
  bind(ctx, contract.deleteClient, ({ params, query, request }) =>
    clients.remove(params.email, query.keepTraffic, request.requestId),
  );
  bind(ctx, contract.attachClient, ({ params, body, request }) =>
    clients.attach(params.email, body.inboundIds, request.requestId),
  );
  bind(ctx, contract.detachClient, ({ params, body, request }) =>
    clients.detach(params.email, body.inboundIds, request.requestId),
  );
  bind(ctx, contract.resetClientTraffic, ({ params, request }) => clients.reset(params.email, request.requestId));
  bind(ctx, contract.resetAllClientTraffics, ({ request }) => clients.resetAll(request.requestId));
  bind(ctx, contract.updateClientTraffic, async ({ params, body, request }) => {
    const counters = { upBytes: body.upload, downBytes: body.download };
    await clients.setTraffic(params.email, counters, request.requestId);
    return null;
  });
  bind(ctx, contract.getClientTraffic, ({ params }) => clients.traffic(params.email));
  bind(ctx, contract.onlineClients, () => clients.onlines());
  bind(ctx, contract.lastOnlineOfClients, () => clients.lastOnline());
}
