import * as z from 'zod';
import { endpoint } from '../../contract/endpoint.ts';
import { line } from '../../contract/line.ts';
import { EventKind } from '../events/contract.ts';

const BASE = '/panel/api/webhooks';
const Id = z.object({ id: z.coerce.number().int().min(1) });

/** A program elsewhere that is told of events. */
export const Webhook = z.object({
  id: z.int(),
  /** Name for people. */
  name: z.string(),
  url: z.string(),
  enabled: z.boolean(),
  /** Kinds of events that it is told of. */
  kinds: z.array(EventKind),
  /** Its host may lie in a private network. */
  allowPrivate: z.boolean(),
  /** Percent above which it is told of a busy processor; 0 = never. */
  cpuPercent: z.int(),
  /** Whether requests are signed; the secret itself is never answered. */
  hasSecret: z.boolean(),
});
export type Webhook = z.output<typeof Webhook>;

/** Absent fields stay as they are, for a new one they have their defaults; a blank secret is kept unless `clearSecret` says otherwise. */
export const WebhookSave = z.object({
  /** Number of the webhook; absent = a new one. */
  id: z.int().min(1).optional(),
  /** Name for people. */
  name: line(64).optional(),
  /** Address that events are posted to, with its scheme. */
  url: line(2048).optional(),
  enabled: z.boolean().optional(),
  /** Kinds of events that it is told of. */
  kinds: z.array(EventKind).max(100).optional(),
  /** Its host may lie in a private network. */
  allowPrivate: z.boolean().optional(),
  /** Percent above which it is told of a busy processor; 0 = never. */
  cpuPercent: z.int().min(0).max(100).optional(),
  /** Key of the HMAC that signs requests; blank = the stored one. */
  secret: z.string().max(256).optional(),
  /** Forgets the stored secret, so that requests are not signed. */
  clearSecret: z.boolean().optional(),
});
export type WebhookSave = z.output<typeof WebhookSave>;

/** One request as it went. */
export const WebhookAttempt = z.object({
  id: z.int(),
  eventId: z.int(),
  /** Kind of the event; `test` = a test. */
  kind: z.string(),
  /** When it was sent, in ms since 1970. */
  at: z.int(),
  tookMs: z.int(),
  /** HTTP status of the answer, 0 = there was none. */
  status: z.int(),
  /** The beginning of what the target answered. */
  answer: z.string(),
  /** Why there was no answer; empty when there was one. */
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
