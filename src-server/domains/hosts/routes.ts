import { bind, type BindContext } from '../../http/bind.ts';
import * as contract from './contract.ts';
import type { HostService } from './service.ts';

export function hostRoutes(ctx: BindContext, hosts: HostService): void {
  const { groups } = hosts;
  bind(ctx, contract.listHosts, () => hosts.list());
  bind(ctx, contract.getHost, ({ params }) => hosts.get(params.id));
  bind(ctx, contract.hostsOfInbound, ({ params }) => hosts.ofInbound(params.inboundId));
  bind(ctx, contract.hostTags, () => hosts.tags());
  bind(ctx, contract.addHost, ({ body, request }) => hosts.add(body, request.requestId));
  bind(ctx, contract.updateHost, ({ params, body, request }) => hosts.update(params.id, body, request.requestId));
  bind(ctx, contract.deleteHost, ({ params, request }) => hosts.remove(params.id, request.requestId));
  bind(ctx, contract.setHostEnable, ({ params, body, request }) =>
    hosts.setEnable(params.id, body.enable, request.requestId),
  );
  bind(ctx, contract.reorderHosts, ({ body, request }) => hosts.reorder(body.ids, request.requestId));
  bind(ctx, contract.bulkSetHostEnable, ({ body, request }) =>
    hosts.bulkSetEnable(body.ids, body.enable, request.requestId),
  );
  bind(ctx, contract.bulkDeleteHosts, ({ body, request }) => hosts.bulkRemove(body.ids, request.requestId));
  bind(ctx, contract.bulkAddHosts, ({ body, request }) => groups.add(body, request.requestId));
  bind(ctx, contract.listHostGroups, () => groups.list());
  bind(ctx, contract.getHostGroup, ({ params }) => groups.get(params.groupId));
  bind(ctx, contract.updateHostGroup, ({ params, body, request }) =>
    groups.update(params.groupId, body, request.requestId),
  );
  bind(ctx, contract.deleteHostGroup, ({ params, request }) => groups.remove(params.groupId, request.requestId));
  bind(ctx, contract.setHostGroupEnable, ({ params, body, request }) =>
    groups.setEnable(params.groupId, body.enable, request.requestId),
  );
  bind(ctx, contract.reorderHostGroups, ({ body, request }) => groups.reorder(body.ids, request.requestId));
}
