import * as z from 'zod';
import { endpoint } from '../../contract/endpoint.ts';
import { line } from '../../contract/fields/line.ts';
import { EventKind } from '../events/contract.ts';

const BASE = '/panel/api/webhooks';
const Id = z.object({ id: z.coerce.number().int().min(1) });

/** An external program that receives events. */
export const Webhook = z.object({
  id: z.int(),
  /** Display name. */
  name: z.string(),
  url: z.string(),
  enabled: z.boolean(),
  /** Kinds of events that it receives. */
  kinds: z.array(EventKind),
  /** Whether its host may be in a private network. */
  allowPrivate: z.boolean(),
  /** CPU load in percent above which it is notified; 0 = never. */
  cpuPercent: z.int(),
  /** Whether requests are signed; the secret itself is never returned. */
  hasSecret: z.boolean(),
});
export type Webhook = z.output<typeof Webhook>;

/**
 * Absent fields are unchanged, or have their defaults for a new webhook; a blank secret keeps the stored one unless
 * `clearSecret` is set.
 */
export const WebhookSave = z.object({
  /** Id of the webhook; absent = a new one. */
  id: z.int().min(1).optional(),
  /** Display name. */
  name: line(64).optional(),
  /** URL to which events are posted. */
  url: line(2048).optional(),
  enabled: z.boolean().optional(),
  /** Kinds of events that it receives. */
  kinds: z.array(EventKind).max(100).optional(),
  /** Whether its host may be in a private network. */
  allowPrivate: z.boolean().optional(),
  /** CPU load in percent above which it is notified; 0 = never. */
  cpuPercent: z.int().min(0).max(100).optional(),
  /** Key of the HMAC that signs requests; blank = keep the stored one. */
  secret: z.string().max(256).optional(),
  /** Deletes the stored secret, so that requests are not signed. */
  clearSecret: z.boolean().optional(),
});
export type WebhookSave = z.output<typeof WebhookSave>;

/** One request and its outcome. */
export const WebhookAttempt = z.object({
  id: z.int(),
  eventId: z.int(),
  /** Kind of the event; `test` = a test. */
  kind: z.string(),
  /** When it was sent, in ms since 1970. */
  at: z.int(),
  tookMs: z.int(),
  /** HTTP status of the response, 0 = there was none. */
  status: z.int(),
  /** The beginning of the response body. */
  answer: z.string(),
  /** Why there was no response; empty when there was one. */
  error: z.string(),
});
export type WebhookAttempt = z.output<typeof WebhookAttempt>;

export const listWebhooks = endpoint('GET', `${BASE}/list`, {
  summary: 'Webhooks, oldest first, without their secrets.',
  result: z.array(Webhook),
});

export const saveWebhook = endpoint('POST', `${BASE}/save`, {
  summary: 'Adds a webhook, or changes one.',
  body: WebhookSave,
  encoding: 'json',
  result: Webhook,
});

export const deleteWebhook = endpoint('POST', `${BASE}/delete/:id`, {
  summary: 'Deletes a webhook with what waits for it.',
  params: Id,
  result: z.null(),
});

export const testWebhook = endpoint('POST', `${BASE}/test/:id`, {
  summary: 'Sends a test event now, and says what came back.',
  params: Id,
  result: WebhookAttempt,
});

export const listWebhookAttempts = endpoint('GET', `${BASE}/attempts/:id`, {
  summary: 'The last 100 requests to a webhook, newest first.',
  params: Id,
  result: z.array(WebhookAttempt),
});

export const resendWebhookAttempt = endpoint('POST', `${BASE}/resend/:id`, {
  summary: 'Sends the body of an earlier request once more, signed anew.',
  params: Id,
  result: WebhookAttempt,
});
