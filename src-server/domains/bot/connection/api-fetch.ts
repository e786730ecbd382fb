import type { ApiClientOptions } from 'grammy';
import { DialError } from '../../../net/dial-error.ts';
import type { GuardedDialer } from '../../../net/guarded-dialer.ts';

/** A response holds at most 100 messages of a few kilobytes each. */
const MAX_RESPONSE_BYTES = 16 * 1024 * 1024;
/** Timeout of one call, including a poll, which the API server holds for {@link POLL_SECONDS}. */
const CALL_MS = 30_000;
/** The slowest line on which a file still gets through: 512 kbit/s. */
const SLOWEST_BYTES_PER_MS = 64;
export const POLL_SECONDS = 20;

/** What the library actually sends, out of all that its type allows. */
interface Sent {
  method?: string;
  headers?: Record<string, string>;
  body?: string | AsyncIterable<Uint8Array>;
  signal?: AbortSignal;
}

/** The library's fetch: through the guarded dialer, like every request of the panel. */
export function apiFetch(dialer: GuardedDialer, allowPrivate: boolean): NonNullable<ApiClientOptions['fetch']> {
  const send = async (address: string, { method, headers, body, signal }: Sent) => {
    const content = body === undefined || typeof body === 'string' ? body : await collected(body);
    const response = await dialer.fetch(address, {
      method: method ?? 'GET',
      headers: headers ?? {},
      ...(content === undefined ? {} : { body: content }),
      ...(signal === undefined ? {} : { signal }),
      maxBytes: MAX_RESPONSE_BYTES,
      timeoutMs: callLimitMs(content?.length ?? 0),
      allowPrivate,
    });
    const envelope = apiEnvelope(response.body);
    if (envelope === null)
      throw new DialError(
        'protocol',
        `${new URL(address).host} answers ${response.status}, which is not of the bot API`,
      );
    return { json: async () => envelope };
  };
  // The library uses only `json()` of the response.
  return send;
}

/** A file needs time: a backup of 49 MB may take a quarter of an hour. In whole seconds, which a refusal tells. */
export const callLimitMs = (bytes: number): number =>
  CALL_MS + Math.floor(bytes / SLOWEST_BYTES_PER_MS / 1_000) * 1_000;

/** An API envelope; null for a response from a proxy, a captive portal or anything else. */
function apiEnvelope(body: Buffer): { ok: boolean } | null {
  try {
    const parsed: unknown = JSON.parse(body.toString());
    const isEnvelope = typeof parsed === 'object' && parsed !== null && typeof Reflect.get(parsed, 'ok') === 'boolean';
    return isEnvelope ? (parsed as { ok: boolean }) : null;
  } catch {
    return null;
  }
}

async function collected(body: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks);
}
