import { bind, type BindContext } from '../../http/bind.ts';
import * as contract from './contract.ts';
import type { GroupService } from './service.ts';

export function groupRoutes(ctx: BindContext, groups: GroupService): void {
  bind(ctx, contract.listGroups, () => groups.list());
  bind(ctx, contract.groupEmails, ({ params }) => groups.emails(params.name));
  bind(ctx, contract.createGroup, ({ body, request }) => groups.create(body.name, request.requestId));
  bind(ctx, contract.renameGroup, ({ body, request }) => groups.rename(body.oldName, body.newName, request.requestId));
  bind(ctx, contract.deleteGroup, ({ body, request }) => groups.remove(body.name, request.requestId));
  bind(ctx, contract.addToGroup, ({ query, body, request }) =>
    groups.addMembers(body.emails, body.group, request.requestId, query.remember === '1'),
  );
  bind(ctx, contract.removeFromGroups, ({ query, body, request }) =>
    groups.removeMembers(body.emails, request.requestId, query.remember === '1'),
  );
  bind(ctx, contract.resetGroupTraffic, ({ body, request }) => groups.resetTraffic(body.name, request.requestId));
}
