import { bind, type BindContext } from '../../../http/bind.ts';
import { JsonList } from '../../../http/json-list.ts';
import type { JobService } from '../../jobs/service.ts';
import { runBulk, type Watch } from '../list/watch.ts';
import type { ClientService } from '../service.ts';
import * as contract from './contract.ts';

/** Characters of one client in an export, on average. */
const EXPORTED_LENGTH = 400;

export function bulkClientRoutes(ctx: BindContext, clients: ClientService, jobs: Pick<JobService, 'start'>): void {
  /** Bulk work on this many items, named for display and for pages that follow it. */
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
      // The count is known only after reading; an exported client takes about this much.
      total: Math.round(body.data.length / EXPORTED_LENGTH),
      work: (watch) => clients.import(body.data, request.requestId, watch),
    }),
  );
}
