import { bind, type BindContext } from '../../http/bind.ts';
import type { RequestInfo } from '../../http/guards/caller.ts';
import { hostName } from '../../http/guards/host-name.ts';
import { JsonList } from '../../http/json-list.ts';
import * as contract from './contract.ts';
import type { SubscriptionService } from './service.ts';

/**
 * Mounts the calls that return links. Their paths begin like those of clients and inbounds, so they are mounted first.
 */
export function subscriptionRoutes(ctx: BindContext, subscriptions: SubscriptionService): void {
  const nameOf = ({ origin }: RequestInfo): string => hostName(origin.host) ?? 'localhost';
  bind(ctx, contract.linksOfClient, ({ params, request }) =>
    subscriptions.linksOfClient(params.email, nameOf(request)),
  );
  bind(ctx, contract.linksOfSubscription, ({ params, request }) =>
    subscriptions.linksOfSubscription(params.subId, nameOf(request)),
  );
  bind(ctx, contract.allLinks, ({ request }) => new JsonList(subscriptions.everyLink(nameOf(request))));
  bind(ctx, contract.linksOfInbound, ({ params, request }) => subscriptions.linksOfInbound(params.id, nameOf(request)));
  bind(ctx, contract.previewHost, ({ body, request }) => subscriptions.previewHost(body, nameOf(request)));
  bind(ctx, contract.leftOutOfSubscription, ({ params, request }) =>
    subscriptions.leftOut(params.email, nameOf(request)),
  );
  bind(ctx, contract.previewHeaders, ({ body, request }) =>
    subscriptions.previewHeaders(body, request.origin.host || 'localhost'),
  );
}
