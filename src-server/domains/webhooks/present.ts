import type { Row } from '../../store/schema.ts';
import type { EventKind } from '../events/contract.ts';
import type { Webhook, WebhookAttempt } from './contract.ts';

export function presentWebhook(row: Omit<Row<'webhooks'>, 'kinds'>, kinds: readonly EventKind[]): Webhook {
  const { id, name, url, cpuPercent } = row;
  return {
    id,
    name,
    url,
    cpuPercent,
    enabled: row.enabled === 1,
    kinds: [...kinds],
    allowPrivate: row.allowPrivate === 1,
    hasSecret: row.secret !== '',
  };
}

export function presentAttempt(row: Row<'webhookAttempts'>): WebhookAttempt {
  const { id, eventId, kind, atMs, tookMs, status, answer, error } = row;
  return { id, eventId, kind, at: atMs, tookMs, status, answer, error };
}
