import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type { Socket } from 'node:net';
import { untilAbort } from '../concurrency.ts';
import type { Logger } from '../contract/logger.ts';
import type { Lookup } from './checked-address.ts';
import { checkedAddresses, systemLookup } from './checked-address.ts';
import { DialError } from './dial-error.ts';
import { withDeadline } from './deadline.ts';
import type { DialTls } from './dial-tls.ts';
import { connectEgress, egressTarget, type Egress } from './proxy/connect-egress.ts';
import { connectSocket, secureSocket } from './connect-socket.ts';
import { connectionsTo, type KeptConnections } from './kept-connections.ts';
import { limitedBody, wholeBody } from './limited-body.ts';
import { sendRequest } from './send-request.ts';

export interface FetchOptions {
  method?: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
  /** Most bytes of the response body, after decompression. */
  maxBytes: number;
  /** Ms. `fetch`: limit of the whole exchange. `open`: limit until the headers, then of every pause in the body. */
  timeoutMs: number;
  /** Redirects followed, GET and HEAD only; other methods return the redirect as their response. Default 5. */
  maxRedirects?: number;
  /** The host of this URL may be in an internal network; a host it redirects to may not. Default false. */
  allowPrivate?: boolean;
  signal?: AbortSignal;
  tls?: DialTls;
  /** Connections to use and keep, from {@link GuardedDialer.keep}; then no redirect is followed. */
  kept?: KeptConnections;
}

export interface DialResponse<Body> {
  status: number;
  headers: IncomingHttpHeaders;
  body: Body;
  /** Where the response came from, after redirects. */
  url: string;
}

export interface ConnectOptions {
  host: string;
  port: number;
  allowPrivate?: boolean;
  timeoutMs: number;
  signal?: AbortSignal;
}

export interface GuardedDialerDeps {
  log?: Logger;
  /** For tests; default is the system's resolver. */
  lookup?: Lookup;
  /** An egress other than this machine's own, looked up for each connection; null = none now. */
  egress?: () => Promise<Egress | null>;
}

const REDIRECTS = 5;
const REDIRECTING: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
/** Never sent to another origin. */
const CREDENTIALS = new Set(['authorization', 'cookie', 'proxy-authorization', 'host']);

/**
 * Every connection to an address that an operator, a peer or a subscription names is made here: every name is resolved
 * once, every address is classified, and exactly the checked address is dialled, again for each redirect.
 */
export function createGuardedDialer({ log, lookup = systemLookup, egress }: GuardedDialerDeps = {}) {
  async function connect({ host, port, allowPrivate = false }: ConnectOptions, signal: AbortSignal): Promise<Socket> {
    try {
      const way = (await egress?.()) ?? null;
      const target =
        way === null ? null : await untilAbort(egressTarget(host, way, { lookup, allowPrivate }), signal, givenUp);
      if (way !== null && target !== null) return await connectEgress(way, { host: target, port, signal, lookup });
      const addresses = await untilAbort(checkedAddresses(host, { lookup, allowPrivate }), signal, givenUp);
      return await connectSocket({ host, port, addresses, signal });
    } catch (error) {
      if (error instanceof DialError && error.code === 'private') log?.warn('net.refused', { host, port });
      throw error;
    }
  }

  /** A connection that speaks HTTP. */
  async function connectTo(
    { hostname, port, protocol }: URL,
    { allowPrivate = false, timeoutMs, tls = {} }: Pick<FetchOptions, 'allowPrivate' | 'timeoutMs' | 'tls'>,
    signal: AbortSignal,
  ): Promise<Socket> {
    const isSecure = protocol === 'https:';
    const to = { host: hostname, port: Number(port) || (isSecure ? 443 : 80), allowPrivate, timeoutMs };
    const plain = await connect(to, signal);
    return isSecure ? secureSocket(plain, hostname, tls, signal) : plain;
  }

  /** The response after redirects. `limits`: those of its body. */
  async function responseOf(
    address: string,
    options: FetchOptions,
    signal: AbortSignal,
    stallMs = 0,
  ): Promise<DialResponse<Readable> & { limits: Parameters<typeof limitedBody>[1] }> {
    const { method = 'GET', timeoutMs, tls = {}, kept, body, maxBytes } = options;
    const isReading = method === 'GET' || method === 'HEAD';
    const maxRedirects = kept === undefined ? (options.maxRedirects ?? REDIRECTS) : 0;
    const first = webAddress(address);
    let { headers = {} } = options;
    let url = first;
    for (let hop = 0; ; hop += 1) {
      const to = url;
      const allowPrivate = options.allowPrivate === true && to.hostname === first.hostname;
      const connect = () => connectTo(to, { allowPrivate, timeoutMs, tls }, signal);
      const connections = kept ?? connectionsTo(to, connect, { isKept: false });
      const exchange = { url, method, headers, body, stallMs, signal };
      const pending = sendRequest(connections, exchange, kept !== undefined && isReading);
      if (kept === undefined) void connections.close();
      const response = await pending;
      const heads = joined(response.headers);
      const { location } = heads;
      if (!REDIRECTING.has(response.statusCode) || location === undefined || !isReading) {
        const encoding = heads['content-encoding'] ?? '';
        const limits = { host: url.host, maxBytes, encoding };
        return { status: response.statusCode, headers: heads, body: response.body, url: url.href, limits };
      }
      response.body.on('error', () => {}).destroy();
      if (hop >= maxRedirects) throw new DialError('redirects', `${url.host}: more than ${maxRedirects} redirects`);
      const next = webAddress(location, url);
      if (url.protocol === 'https:' && next.protocol === 'http:')
        throw new DialError('redirect', `${url.host} redirects to an address without TLS`);
      // The address is written without what the operator put before the host.
      if (next.origin === url.origin && next.username === '' && next.password === '')
        Object.assign(next, { username: url.username, password: url.password });
      if (next.origin !== url.origin)
        headers = Object.fromEntries(Object.entries(headers).filter(([name]) => !CREDENTIALS.has(name.toLowerCase())));
      url = next;
    }
  }

  return {
    /** Checks a host as a connection would, without dialling. @throws {DialError} `address`, `private`, `unresolved` */
    async check(host: string, allowPrivate: boolean): Promise<void> {
      const way = (await egress?.()) ?? null;
      if (way === null) await checkedAddresses(host, { lookup, allowPrivate });
      else await egressTarget(host, way, { lookup, allowPrivate });
    },
    /** The whole response. @throws {DialError} */
    async fetch(address: string, options: FetchOptions): Promise<DialResponse<Buffer>> {
      return withDeadline(options, async (signal) => {
        const { limits, ...response } = await responseOf(address, options, signal);
        return { ...response, body: await wholeBody(response.body, limits) };
      });
    },
    /** The response as a stream, which fails with a DialError when it is too long or stalls. @throws {DialError} */
    async open(address: string, options: FetchOptions): Promise<DialResponse<Readable>> {
      return withDeadline(options, async (untilHeaders) => {
        const { limits, ...response } = await responseOf(address, options, untilHeaders, options.timeoutMs);
        const body = limitedBody(response.body, limits);
        const { signal } = options;
        const giveUp = () => body.destroy(givenUp());
        signal?.addEventListener('abort', giveUp, { once: true });
        body.once('close', () => signal?.removeEventListener('abort', giveUp));
        return { ...response, body };
      });
    },
    /**
     * Connections to this URL's server that are kept between exchanges, checked when they are made. The caller closes
     * them.
     * @param options `timeoutMs`: time limit for making one
     */
    keep(address: string, options: Pick<FetchOptions, 'allowPrivate' | 'timeoutMs' | 'tls'>): KeptConnections {
      const url = webAddress(address);
      const connect = () => connectTo(url, options, AbortSignal.timeout(options.timeoutMs));
      return connectionsTo(url, connect, { isKept: true });
    },
    /** A plain TCP connection. @throws {DialError} */
    async connect(options: ConnectOptions): Promise<Socket> {
      return withDeadline(options, (signal) => connect(options, signal));
    },
  };
}
export type GuardedDialer = ReturnType<typeof createGuardedDialer>;

/** Headers as Node has them: one text each, except cookies. */
function joined(headers: Record<string, string | string[] | undefined>): IncomingHttpHeaders {
  const texts = Object.entries(headers).map(([name, value]) => [
    name,
    Array.isArray(value) && name !== 'set-cookie' ? value.join(', ') : value,
  ]);
  return Object.fromEntries(texts) as IncomingHttpHeaders;
}

/** Name resolution cannot be cancelled. */
const givenUp = (): DialError => new DialError('aborted', 'given up');

function webAddress(address: string, base?: URL): URL {
  const url = URL.parse(address, base?.href);
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:') || url.hostname === '')
    throw new DialError(base ? 'redirect' : 'address', 'only http:// and https:// addresses are dialled');
  return url;
}
