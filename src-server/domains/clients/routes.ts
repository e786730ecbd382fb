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
    clients.update(params.email, body, query.inboundIds, { ...request, ...query }),
  );
  bind(ctx, contract.deleteClient, ({ params, query, request }) =>
    clients.remove(params.email, query.keepTraffic, { ...request, ...query }),
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
  bind(ctx, contract.activeInbounds, () => clients.activeInbounds());
  bind(ctx, contract.pushClientTraffics, async ({ body }) => {
    await clients.peers.push(body.masterGuid, body.traffics);
    return null;
  });
  bind(ctx, contract.lastOnlineOfClients, () => clients.lastOnline());

  bind(ctx, contract.bulkCreateClients, ({ body, request }) => clients.bulkCreate(body, request.requestId));
  bind(ctx, contract.bulkAdjustClients, ({ body: { emails, ...adjustment }, request }) =>
    clients.bulkAdjust(emails, adjustment, request.requestId),
  );
  bind(ctx, contract.bulkEnableClients, ({ body, request }) =>
    clients.bulkSwitch(body.emails, true, request.requestId),
  );
  bind(ctx, contract.bulkDisableClients, ({ query, body, request }) =>
    clients.bulkSwitch(body.emails, false, { ...request, ...query }),
  );
  bind(ctx, contract.bulkDeleteClients, ({ query, body, request }) =>
    clients.bulkRemove(body.emails, body.keepTraffic, { ...request, ...query }),
  );
  bind(ctx, contract.bulkAttachClients, ({ body, request }) =>
    clients.bulkAttach(body.emails, body.inboundIds, request.requestId),
  );
  bind(ctx, contract.bulkDetachClients, ({ query, body, request }) =>
    clients.bulkDetach(body.emails, body.inboundIds, { ...request, ...query }),
  );
  bind(ctx, contract.bulkResetClientTraffic, ({ body, request }) => clients.bulkReset(body.emails, request.requestId));
  bind(ctx, contract.deleteDepletedClients, ({ request }) => clients.removeDepleted(request.requestId));
  bind(ctx, contract.deleteOrphanClients, ({ request }) => clients.removeOrphans(request.requestId));
  bind(ctx, contract.exportClients, () => new JsonList(clients.exported()));
  bind(ctx, contract.importClients, ({ body, request }) => clients.import(body.data, request.requestId));
  // Last: a client may be named like a call, and `/del/attach` shall delete the client `attach`.
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
