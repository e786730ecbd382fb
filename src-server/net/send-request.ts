import type { Dispatcher } from 'undici';
import { DialError } from './dial-error.ts';
import type { KeptConnections } from './kept-connections.ts';
import { plainText } from './plain-text.ts';

interface Exchange {
  url: URL;
  method: string;
  headers: Record<string, string>;
  body: string | Buffer | undefined;
  /** Most time between two pieces of the response body, in ms; 0 = only the signal ends it. */
  stallMs: number;
  signal: AbortSignal;
}

type ExchangeResponse = Dispatcher.ResponseData;

/** The other side ended the connection. */
const ENDED = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);

/**
 * One HTTP/1.1 exchange. A read-only request is repeated once when the other side has closed a kept connection
 * meanwhile.
 * @throws {DialError}
 */
export async function sendRequest(
  connections: KeptConnections,
  exchange: Exchange,
  isRepeatable: boolean,
): Promise<ExchangeResponse> {
  const { url, method, body, stallMs, signal } = exchange;
  const headers: Record<string, string> = { 'user-agent': 'switchyard', 'accept-encoding': 'gzip, deflate, br' };
  if (url.username !== '' || url.password !== '') headers['authorization'] = basic(url);
  for (const [name, value] of Object.entries(exchange.headers)) headers[name.toLowerCase()] = value;
  try {
    return await connections.request({
      method,
      path: `${url.pathname}${url.search}`,
      headers,
      body: body ?? null,
      bodyTimeout: stallMs,
      signal,
    });
  } catch (error) {
    if (isRepeatable && !signal.aborted && ENDED.has((error as { code?: string }).code ?? ''))
      return sendRequest(connections, exchange, false);
    throw dialError(url.host, error as Error);
  }
}

/** Describes a failed exchange in our own words. */
export function dialError(host: string, cause: Error & { code?: string }): DialError {
  if (cause instanceof DialError) return cause;
  if (cause.code === 'UND_ERR_BODY_TIMEOUT') return new DialError('timeout', `${host} stopped sending`, { cause });
  const isGarbled = cause.code?.startsWith('HPE_') === true || cause.code === 'UND_ERR_HEADERS_OVERFLOW';
  return new DialError(isGarbled ? 'protocol' : 'connect', `${host}: ${cause.message}`, { cause });
}

function basic({ username, password }: URL): string {
  const pair = `${plainText(username)}:${plainText(password)}`;
  return `Basic ${Buffer.from(pair).toString('base64')}`;
}
