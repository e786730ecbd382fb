import { createHmac } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { GuardedDialer } from '../../net/guarded-dialer.ts';

/** The response of a webhook, or the reason for none. */
export interface WebhookResponse {
  /** 0 = no response. */
  status: number;
  answer: string;
  error: string;
}

const TIMEOUT_MS = 15_000;
/** Only the status of the response matters; its beginning is kept for troubleshooting. */
const MAX_RESPONSE_CHARACTERS = 1_000;
const MAX_RECEIVED = 1_048_576;
const RESPONSE_PATIENCE_MS = 2_000;

/**
 * Posts a body. With a secret, `X-Signature: t=<unix seconds>,v1=<hex HMAC-SHA-256 of "<t>.<body>">` lets the target
 * verify the sender and time.
 */
export async function sendSigned(
  dialer: Pick<GuardedDialer, 'open'>,
  target: { url: string; secret: string; allowPrivate: boolean },
  message: { body: string; eventId: number; nowMs: number },
  signal: AbortSignal,
): Promise<WebhookResponse> {
  const { url, secret, allowPrivate } = target;
  const { body, eventId, nowMs } = message;
  const at = Math.floor(nowMs / 1_000);
  const signature = createHmac('sha256', secret).update(`${at}.${body}`).digest('hex');
  try {
    const response = await dialer.open(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'content-length': String(Buffer.byteLength(body)),
        'x-event-id': String(eventId),
        ...(secret === '' ? {} : { 'x-signature': `t=${at},v1=${signature}` }),
      },
      body,
      maxBytes: MAX_RECEIVED,
      timeoutMs: TIMEOUT_MS,
      allowPrivate,
      signal,
    });
    return { status: response.status, answer: await beginningOf(response.body), error: '' };
  } catch (error) {
    return { status: 0, answer: '', error: error instanceof Error ? error.message : String(error) };
  }
}

/** Reads what arrives within a moment; the rest is not waited for. */
async function beginningOf(body: Readable): Promise<string> {
  let text = '';
  const decoder = new TextDecoder();
  const patience = setTimeout(() => body.destroy(), RESPONSE_PATIENCE_MS);
  try {
    for await (const part of body as AsyncIterable<Buffer>) {
      text += decoder.decode(part, { stream: true });
      if (text.length >= MAX_RESPONSE_CHARACTERS) break;
    }
  } catch {
    // The status is known; a truncated response counts.
  } finally {
    clearTimeout(patience);
    body.destroy();
  }
  return text.slice(0, MAX_RESPONSE_CHARACTERS).toWellFormed();
}
