import { bind, type BindContext } from '../../http/bind.ts';
import { JsonList } from '../../http/json-list.ts';
import * as contract from './contract.ts';
import { bulkClientRoutes } from './bulk/routes.ts';
import * as list from './list/contract.ts';
import type { JobService } from '../jobs/service.ts';
import type { ClientService } from './service.ts';

export function clientRoutes(ctx: BindContext, clients: ClientService, jobs: Pick<JobService, 'start'>): void {
  bind(ctx, list.listClients, () => new JsonList(clients.all()));
  bind(ctx, list.listClientsPaged, ({ query }) => clients.page(query));
  bind(ctx, contract.getClient, ({ params }) => clients.get(params.email));
  bind(ctx, contract.addClient, ({ body: { client, ...placement }, request }) =>
    clients.add({ input: client, ...placement }, request.requestId),
  );
  bind(ctx, contract.updateClient, ({ params, query, body, request }) =>
    clients.update(params.email, body, query.inboundIds, { ...request, ...query }),
  );
  bind(ctx, contract.deleteClient, ({ params, query, request }) =>
    clients.remove(params.email, query.keepTraffic, { ...request, ...query }),
  );
  bind(ctx, contract.resetClientTraffic, ({ params, request }) => clients.reset(params.email, request.requestId));
  bind(ctx, contract.updateClientTraffic, async ({ params, body, request }) => {
    const counters = { upBytes: body.upload, downBytes: body.download };
    await clients.setTraffic(params.email, counters, request.requestId);
    return null;
  });
  bind(ctx, contract.getClientTraffic, ({ params }) => clients.traffic(params.email));
  bind(ctx, contract.onlineClients, () => clients.onlines());
  bind(ctx, contract.activeInbounds, () => clients.activeInbounds());
  bind(ctx, contract.pushClientTraffics, async ({ body }) => {
    clients.noteMaster(body.masterGuid, body.above);
    await clients.peers.push(body.masterGuid, body.traffics);
    return null;
  });
  bind(ctx, contract.lastOnlineOfClients, () => clients.lastOnline());

  bulkClientRoutes(ctx, clients, jobs);
  // Last: a client may have the name of a call, and `/del/attach` must delete the client `attach`.
  bind(ctx, contract.attachClient, ({ params, body, request }) =>
    clients.attach(params.email, body.inboundIds, request.requestId),
  );
  bind(ctx, contract.detachClient, ({ params, query, body, request }) =>
    clients.detach(params.email, body.inboundIds, { ...request, ...query }),
  );
  bind(ctx, contract.setExternalLinks, ({ params, body, request }) =>
    clients.setExternalLinks(params.email, body.externalLinks, request.requestId),
  );
}
