import { once } from 'node:events';
import { request } from 'node:http';
import type { Socket } from 'node:net';
import { checkedAddresses, type Lookup } from '../checked-address.ts';
import { connectSocket, secureSocket } from '../connect-socket.ts';
import { plainText } from '../plain-text.ts';
import { socksHandshake, type ProxyCredentials } from './socks-handshake.ts';

/** A proxy that an operator names. */
export interface ProxyAddress {
  scheme: 'socks5' | 'http' | 'https';
  host: string;
  port: number;
  credentials?: ProxyCredentials;
}

const PORTS = { socks5: 1080, http: 80, https: 443 } as const;

/** Reads `socks5://`, `http://` and `https://` addresses, with or without credentials; null for anything else. */
export function parseProxyAddress(text: string): ProxyAddress | null {
  const url = URL.parse(text.trim());
  const scheme = url?.protocol.slice(0, -1);
  if (url === null || url.hostname === '' || (scheme !== 'socks5' && scheme !== 'http' && scheme !== 'https'))
    return null;
  const hasCredentials = url.username !== '' || url.password !== '';
  return {
    scheme,
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: Number(url.port) || PORTS[scheme],
    ...(hasCredentials
      ? { credentials: { username: plainText(url.username), password: plainText(url.password) } }
      : {}),
  };
}

/**
 * A connection to the target, made by the proxy. The proxy itself may be in the operator's own network, where most are.
 * @throws {DialError} when it is unreachable; {Error} when it refuses
 */
export async function connectThrough(
  proxy: ProxyAddress,
  target: { host: string; port: number; signal: AbortSignal; lookup: Lookup },
): Promise<Socket> {
  const { host, port, signal, lookup } = target;
  const addresses = await checkedAddresses(proxy.host, { lookup, allowPrivate: true });
  const tcp = await connectSocket({ host: proxy.host, port: proxy.port, addresses, signal });
  const fail = (): void => void tcp.destroy();
  // Until the socket is read, an error here must not end the panel.
  tcp.on('error', fail);
  signal.addEventListener('abort', fail, { once: true });
  try {
    const socket = proxy.scheme === 'https' ? await secureSocket(tcp, proxy.host, {}, signal) : tcp;
    if (proxy.scheme === 'socks5') await socksHandshake(socket, host, port, proxy.credentials);
    else await requestTunnel(socket, host, port, proxy.credentials);
    return socket;
  } catch (error) {
    tcp.destroy();
    throw error;
  } finally {
    signal.removeEventListener('abort', fail);
  }
}

async function requestTunnel(
  socket: Socket,
  host: string,
  port: number,
  credentials: ProxyCredentials | undefined,
): Promise<void> {
  const place = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  const pair = credentials && Buffer.from(`${credentials.username}:${credentials.password}`).toString('base64');
  const sent = request({
    createConnection: () => socket,
    method: 'CONNECT',
    path: place,
    headers: { host: place, ...(pair === undefined ? {} : { 'proxy-authorization': `Basic ${pair}` }) },
  });
  sent.end();
  // Any status arrives as this event; if the proxy closes instead, `once` throws the error.
  const [response] = (await once(sent, 'connect')) as [{ statusCode?: number }];
  if (response.statusCode !== 200) throw new Error(`it answers ${response.statusCode}`);
}
