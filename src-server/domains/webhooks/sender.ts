import type { GuardedDialer } from '../../net/guarded-dialer.ts';
import type { Store } from '../../store/open-store.ts';
import type { Secrets } from '../../store/secrets/secrets.ts';
import * as rows from './repository.ts';
import { sendSigned } from './send-signed.ts';

const MAX_ATTEMPTS = 100;
const LOST_SECRET = { status: 0, answer: '', error: 'the secret cannot be opened any more: enter it again' };

/** The name under which a webhook's secret is sealed. */
export const sealOf = (id: number): string => `webhook.${id}.secret`;

/** Sends one request and records it in the log. */
export type Send = (
  row: rows.WebhookRow,
  message: { body: string; eventId: number; kind: string },
  signal: AbortSignal,
) => Promise<rows.AttemptRow>;

/** @param onRecorded called after the log has changed */
export function createSender(
  deps: { store: Store; secrets: Secrets; dialer: Pick<GuardedDialer, 'open'>; clock: () => number },
  onRecorded: () => void,
): Send {
  const { store, secrets, dialer, clock } = deps;
  return async (row, message, signal) => {
    const { id, url, allowPrivate } = row;
    const { body, eventId, kind } = message;
    const atMs = clock();
    const startedAtMs = performance.now();
    const secret = row.secret === '' ? '' : secrets.open(sealOf(id), row.secret);
    // A database restored without its key: a target that checks signatures must not get an unsigned message.
    const result =
      secret === null
        ? LOST_SECRET
        : await sendSigned(
            dialer,
            { url, secret, allowPrivate: allowPrivate === 1 },
            { body, eventId, nowMs: atMs },
            signal,
          );
    const tookMs = Math.round(performance.now() - startedAtMs);
    const attempt = { webhookId: id, eventId, kind, atMs, tookMs, body, ...result };
    // No time to record during a stop: aborted requests are sent again.
    if (signal.aborted) return { id: 0, ...attempt };
    const noted = await store.write((trx) => rows.noteAttempt(trx, attempt, MAX_ATTEMPTS));
    onRecorded();
    return noted ?? { id: 0, ...attempt };
  };
}
