import type { EventKind } from '../events/contract.ts';
import type { Webhook, WebhookAttempt } from './contract.ts';

export function presentWebhook(row: {
  id: number;
  name: string;
  url: string;
  enabled: 0 | 1;
  kinds: readonly EventKind[];
  allowPrivate: 0 | 1;
  cpuPercent: number;
  secret: string;
}): Webhook {
  const { id, name, url, cpuPercent } = row;
  return {
    id,
    name,
    url,
    cpuPercent,
    enabled: row.enabled === 1,
    kinds: [...row.kinds],
    allowPrivate: row.allowPrivate === 1,
    hasSecret: row.secret !== '',
  };
}

export function presentAttempt(row: {
  id: number;
  eventId: number;
  kind: string;
  atMs: number;
  tookMs: number;
  status: number;
  answer: string;
  error: string;
}): WebhookAttempt {
  const { id, eventId, kind, atMs, tookMs, status, answer, error } = row;
  return { id, eventId, kind, at: atMs, tookMs, status, answer, error };
}
