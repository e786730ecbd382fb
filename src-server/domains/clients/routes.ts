import { bind, type BindContext } from '../../http/bind.ts';
import { JsonList } from '../../http/json-list.ts';
import * as contract from './contract.ts';
import type { JobService } from '../jobs/service.ts';
import type { ClientService } from './service.ts';
import { runBulk, type Watch } from './list/watch.ts';

/** Characters of one client in an export, on average. */
const EXPORTED_LENGTH = 400;

export function clientRoutes(ctx: BindContext, clients: ClientService, jobs: Pick<JobService, 'start'>): void {
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

  /** Bulk work on so many items, named for people and for pages that follow it. */
  const bulk = <T>(kind: string, title: string, total: number, work: (watch: Watch) => Promise<T>): Promise<T> =>
    runBulk(jobs, { kind, title: `${title} ${total} clients`, total, work });
  bind(ctx, contract.bulkCreateClients, ({ body, request }) =>
    bulk('bulkCreateClients', 'Create', body.length, (watch) => clients.bulkCreate(body, request.requestId, watch)),
  );
  bind(ctx, contract.bulkAdjustClients, ({ body: { emails, ...adjustment }, request }) =>
    bulk('bulkAdjustClients', 'Adjust', emails.length, (watch) =>
      clients.bulkAdjust(emails, adjustment, request.requestId, watch),
    ),
  );
  bind(ctx, contract.bulkEnableClients, ({ query, body, request }) =>
    bulk('bulkEnableClients', 'Enable', body.emails.length, (watch) =>
      clients.bulkSwitch(body.emails, true, request.requestId, watch, query.remember),
    ),
  );
  bind(ctx, contract.bulkDisableClients, ({ query, body, request }) =>
    bulk('bulkDisableClients', 'Disable', body.emails.length, (watch) =>
      clients.bulkSwitch(body.emails, false, { ...request, ...query }, watch, query.remember),
    ),
  );
  bind(ctx, contract.bulkDeleteClients, ({ query, body, request }) =>
    bulk('bulkDeleteClients', 'Delete', body.emails.length, (watch) =>
      clients.bulkRemove(body.emails, body.keepTraffic, { ...request, ...query }, watch),
    ),
  );
  bind(ctx, contract.bulkAttachClients, ({ body, request }) =>
    bulk('bulkAttachClients', 'Attach', body.emails.length, (watch) =>
      clients.bulkAttach(body.emails, body.inboundIds, request.requestId, watch),
    ),
  );
  bind(ctx, contract.bulkDetachClients, ({ query, body, request }) =>
    bulk('bulkDetachClients', 'Detach', body.emails.length, (watch) =>
      clients.bulkDetach(body.emails, body.inboundIds, { ...request, ...query }, watch),
    ),
  );
  bind(ctx, contract.bulkResetClientTraffic, ({ body, request }) =>
    bulk('bulkResetClientTraffic', 'Reset traffic of', body.emails.length, (watch) =>
      clients.bulkReset(body.emails, request.requestId, watch),
    ),
  );
  bind(ctx, contract.resetAllClientTraffics, async ({ request }) =>
    bulk('resetAllClientTraffics', 'Reset traffic of', await clients.countUsed(), (watch) =>
      clients.resetAll(request.requestId, watch),
    ),
  );
  bind(ctx, contract.deleteDepletedClients, async ({ request }) =>
    bulk('deleteDepletedClients', 'Delete', await clients.countDepleted(), (watch) =>
      clients.removeDepleted(request.requestId, watch),
    ),
  );
  bind(ctx, contract.deleteOrphanClients, async ({ request }) =>
    bulk('deleteOrphanClients', 'Delete', await clients.countOrphans(), (watch) =>
      clients.removeOrphans(request.requestId, watch),
    ),
  );
  bind(ctx, contract.exportClients, () => new JsonList(clients.exported()));
  bind(ctx, contract.importClients, ({ body, request }) =>
    runBulk(jobs, {
      kind: 'importClients',
      title: 'Import clients',
      // How many there are is known when they have been read; an exported client takes about this much.
      total: Math.round(body.data.length / EXPORTED_LENGTH),
      work: (watch) => clients.import(body.data, request.requestId, watch),
    }),
  );
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
