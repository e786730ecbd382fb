import type { IncomingMessage } from 'node:http';
import { request as requestHttp } from 'node:http';
import type { Socket } from 'node:net';
import { DialError } from './dial-error.ts';

/** One HTTP/1.1 exchange over a connection of its own, which ends with the answer. */
export function sendRequest({
  socket,
  url,
  method,
  headers,
  body,
  signal,
}: {
  socket: Socket;
  url: URL;
  method: string;
  headers: Record<string, string>;
  body: string | Buffer | undefined;
  signal: AbortSignal;
}): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = requestHttp({
      createConnection: () => socket,
      method,
      path: `${url.pathname}${url.search}`,
      headers: {
        host: url.host,
        'user-agent': 'switchyard',
        'accept-encoding': 'gzip, deflate, br',
        ...(url.username === '' ? {} : { authorization: basic(url) }),
        ...headers,
        connection: 'close',
      },
      maxHeaderSize: 65_536,
      signal,
    });
    request.once('error', (cause: Error & { code?: string }) => {
      socket.destroy();
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
