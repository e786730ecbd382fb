import { bind, type BindContext } from '../../http/bind.ts';
import * as contract from './contract.ts';
import type { EventService } from './service.ts';

/** Mounts the list of events and the queues of their subscribers. */
export function eventRoutes(ctx: BindContext, events: EventService): void {
  bind(ctx, contract.listEvents, ({ query }) => events.list(query));
  bind(ctx, contract.markEventsRead, ({ body }) => events.markRead(body.upTo));
  bind(ctx, contract.listSubscribers, () => events.subscribers());
  bind(ctx, contract.listFailedDeliveries, ({ query }) => events.failed(query.language));
  bind(ctx, contract.retryDelivery, async ({ body }) => {
    await events.retry(body.channel, body.eventId);
    return null;
  });
}
