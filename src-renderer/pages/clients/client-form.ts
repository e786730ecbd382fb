import type { ClientInput, ClientRecord } from '#contract/clients';
import * as z from 'zod';

export const GIB = 1024 ** 3;
const DAY_MS = 86_400_000;

/** What the editor shows of a client; the rest of the row travels unchanged. */
export const ClientForm = z.object({
  email: z.string().trim().min(1).max(255),
  inboundIds: z.array(z.string()),
  quotaGib: z.number().min(0),
  /** Days from now; null = never. */
  days: z.number().nullable(),
  limitIp: z.int().min(0),
  group: z.string().max(64),
  comment: z.string().max(2048),
  enable: z.boolean(),
});
export type ClientForm = z.infer<typeof ClientForm>;

export const NEW_CLIENT: ClientForm = {
  email: '',
  inboundIds: [],
  quotaGib: 0,
  days: null,
  limitIp: 0,
  group: '',
  comment: '',
  enable: true,
};

/** Whole days between now and the expiry; rounded, so that saving an untouched form is recognised. */
function daysLeft(expiryTime: number, nowMs: number): number | null {
  if (expiryTime === 0) return null;
  return Math.ceil((expiryTime < 0 ? -expiryTime : expiryTime - nowMs) / DAY_MS);
}

export function toForm(client: ClientRecord, inboundIds: readonly number[], nowMs: number): ClientForm {
  return {
    email: client.email,
    inboundIds: inboundIds.map(String),
    quotaGib: client.totalGB / GIB,
    days: daysLeft(client.expiryTime, nowMs),
    limitIp: client.limitIp,
    group: client.group,
    comment: client.comment,
    enable: client.enable,
  };
}

/**
 * The client to send. `stored` is the row the form started from (null for a new client): an update replaces the row, so what
 * the form does not show is sent as it was, and an expiry that was not touched keeps its exact moment.
 */
export function toWire(form: ClientForm, stored: ClientRecord | null, nowMs: number): z.input<typeof ClientInput> {
  const isExpiryKept = stored !== null && daysLeft(stored.expiryTime, nowMs) === form.days;
  const isDelayed = stored !== null && stored.expiryTime < 0;
  const moved = form.days === null ? 0 : isDelayed ? -form.days * DAY_MS : nowMs + form.days * DAY_MS;
  const kept =
    stored === null
      ? {}
      : {
          subId: stored.subId,
          id: stored.uuid,
          password: stored.password,
          auth: stored.auth,
          flow: stored.flow as '',
          security: stored.security as '',
          reverse: stored.reverse,
          tgId: stored.tgId,
          reset: stored.reset,
        };
  return {
    ...kept,
    email: form.email,
    totalGB: Math.round(form.quotaGib * GIB),
    expiryTime: isExpiryKept ? stored.expiryTime : moved,
    limitIp: form.limitIp,
    group: form.group,
    comment: form.comment,
    enable: form.enable,
  };
}
