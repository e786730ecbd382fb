import { EventGrid } from './event-grid.tsx';
import { FailedDeliveries } from './failed-deliveries.tsx';
import { WebhookList } from './webhook-list.tsx';

/** What stands in the section of notifications besides settings. */
export function NotificationParts() {
  return (
    <>
      <WebhookList />
      <EventGrid />
      <FailedDeliveries />
    </>
  );
}
