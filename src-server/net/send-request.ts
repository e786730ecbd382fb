import type { IncomingMessage } from 'node:http';
import { Agent, request as requestHttp } from 'node:http';
import type { Socket } from 'node:net';
import { DialError } from './dial-error.ts';

interface Exchange {
  /** A connection, or who keeps connections to this server. */
  via: Socket | Agent;
  url: URL;
  method: string;
  headers: Record<string, string>;
  body: string | Buffer | undefined;
  signal: AbortSignal;
}

/**
 * One HTTP/1.1 exchange, over a connection of its own, which ends with the answer, or over one that an agent keeps. A question
 * that only reads is asked once more when the other side has ended a kept connection meanwhile.
 */
export function sendRequest(exchange: Exchange): Promise<IncomingMessage> {
  const isRepeatable = exchange.via instanceof Agent && (exchange.method === 'GET' || exchange.method === 'HEAD');
  return sendOnce(exchange, isRepeatable);
}

function sendOnce(exchange: Exchange, isRepeatable: boolean): Promise<IncomingMessage> {
  const { via, url, method, headers, body, signal } = exchange;
  return new Promise((resolve, reject) => {
    const request = requestHttp({
      ...(via instanceof Agent
        ? { agent: via, host: url.hostname, port: url.port, protocol: 'http:' }
        : { createConnection: () => via }),
      method,
      path: `${url.pathname}${url.search}`,
      headers: {
        host: url.host,
        'user-agent': 'switchyard',
        'accept-encoding': 'gzip, deflate, br',
        ...(url.username === '' ? {} : { authorization: basic(url) }),
        ...headers,
        connection: via instanceof Agent ? 'keep-alive' : 'close',
      },
      maxHeaderSize: 65_536,
      signal,
    });
    request.once('error', (cause: Error & { code?: string }) => {
      if (!(via instanceof Agent)) via.destroy();
      const isStale = request.reusedSocket && (cause.code === 'ECONNRESET' || cause.code === 'EPIPE');
      if (isRepeatable && isStale && !signal.aborted) {
        resolve(sendOnce(exchange, false));
        return;
      }
      if (cause instanceof DialError) {
        reject(cause);
        return;
      }
      const isGarbled = cause.code?.startsWith('HPE_') === true;
      reject(new DialError(isGarbled ? 'protocol' : 'connect', `${url.host}: ${cause.message}`, { cause }));
    });
    request.once('response', resolve);
    request.end(body);
  });
}

function basic({ username, password }: URL): string {
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return `Basic ${Buffer.from(pair).toString('base64')}`;
}
