import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type { Socket } from 'node:net';
import type { Logger } from '../contract/logger.ts';
import type { Lookup } from './checked-address.ts';
import { checkedAddresses, systemLookup } from './checked-address.ts';
import { DialError } from './dial-error.ts';
import { createDeadline } from './deadline.ts';
import type { DialTls } from './dial-tls.ts';
import { connectEgress, egressTarget, type Egress } from './connect-egress.ts';
import { connectSocket, secureSocket } from './connect-socket.ts';
import { keepConnections, type KeptConnections } from './kept-connections.ts';
import { limitedBody, wholeBody } from './limited-body.ts';
import { sendRequest } from './send-request.ts';

export interface FetchOptions {
  method?: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
  /** Most bytes of the answer's body, after decompression. */
  maxBytes: number;
  /** `fetch`: limit of the whole exchange. `open`: limit until the headers, then of every pause of the body. */
  timeoutMs: number;
  /** Redirects followed, GET and HEAD only; other methods get the redirect as their answer. Default 5. */
  maxRedirects?: number;
  /** The host of this URL may be in an internal network; a host it redirects to may not. Default false. */
  allowPrivate?: boolean;
  signal?: AbortSignal;
  tls?: DialTls;
  /** Connections to use and to keep, from {@link GuardedDialer.keep}; then no redirect is followed. */
  kept?: KeptConnections;
}

export interface DialAnswer<Body> {
  status: number;
  headers: IncomingHttpHeaders;
  body: Body;
  /** Where the answer came from, after redirects. */
  url: string;
}

export interface ConnectOptions {
  host: string;
  port: number;
  allowPrivate?: boolean;
  timeoutMs: number;
  signal?: AbortSignal;
}

/**
 * The one way out to addresses that an operator, a peer or a subscription names: every name is resolved once, every
 * address is classified, and exactly the checked address is dialled, again for each redirect.
 */
export interface GuardedDialer {
  /** The whole answer. @throws {DialError} */
  fetch(url: string, options: FetchOptions): Promise<DialAnswer<Buffer>>;
  /** The answer as a stream, which fails with a DialError when it is too long or stalls. @throws {DialError} */
  open(url: string, options: FetchOptions): Promise<DialAnswer<Readable>>;
  /**
   * Connections to the server of this URL that are kept between exchanges, checked when they are made. To be closed by the
   * caller.
   * @param options `timeoutMs`: most time to make one
   */
  keep(url: string, options: Pick<FetchOptions, 'allowPrivate' | 'timeoutMs' | 'tls'>): KeptConnections;
  /** A plain TCP connection. @throws {DialError} */
  connect(options: ConnectOptions): Promise<Socket>;
  /** Refuses a host as a connection would, before anything is dialled. @throws {DialError} `address`, `private`, `unresolved` */
  check(host: string, allowPrivate: boolean): Promise<void>;
}

export interface GuardedDialerDeps {
  log?: Logger;
  /** For tests; default is the system's resolver. */
  lookup?: Lookup;
  /** Another way out than this machine's own, asked for at each connection; null = none now. */
  egress?: () => Promise<Egress | null>;
}

const REDIRECTS = 5;
/** Never carried to another origin. */
const CREDENTIALS = new Set(['authorization', 'cookie', 'proxy-authorization', 'host']);

export function createGuardedDialer({ log, lookup = systemLookup, egress }: GuardedDialerDeps = {}): GuardedDialer {
  async function connect({ host, port, allowPrivate = false }: ConnectOptions, signal: AbortSignal): Promise<Socket> {
    try {
      const way = (await egress?.()) ?? null;
      const target =
        way === null ? null : await unlessAborted(egressTarget(host, way, { lookup, allowPrivate }), signal);
      if (way !== null && target !== null) return await connectEgress(way, { host: target, port, signal });
      const addresses = await unlessAborted(checkedAddresses(host, { lookup, allowPrivate }), signal);
      return await connectSocket({ host, port, addresses, signal });
    } catch (error) {
      if (error instanceof DialError && error.code === 'private') log?.warn('net.refused', { host, port });
      throw error;
    }
  }

  /** A connection over which HTTP is spoken. */
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

  async function answerOf(address: string, options: FetchOptions, signal: AbortSignal) {
    const { method = 'GET', timeoutMs, tls = {} } = options;
    const maxRedirects = options.kept === undefined ? (options.maxRedirects ?? REDIRECTS) : 0;
    const first = webAddress(address);
    let { headers = {} } = options;
    let url = first;
    for (let hop = 0; ; hop += 1) {
      const allowPrivate = options.allowPrivate === true && url.hostname === first.hostname;
      const via = options.kept?.agent ?? (await connectTo(url, { allowPrivate, timeoutMs, tls }, signal));
      const answer = await sendRequest({ via, url, method, headers, body: options.body, signal });
      const { location } = answer.headers;
      const isRedirect = [301, 302, 303, 307, 308].includes(answer.statusCode ?? 0) && location !== undefined;
      if (!isRedirect || (method !== 'GET' && method !== 'HEAD')) return { answer, url };
      answer.destroy();
      if (hop >= maxRedirects) throw new DialError('redirects', `${url.host}: more than ${maxRedirects} redirects`);
      const next = webAddress(location, url);
      if (url.protocol === 'https:' && next.protocol === 'http:')
        throw new DialError('redirect', `${url.host} redirects to an address without TLS`);
      if (next.origin !== url.origin)
        headers = Object.fromEntries(Object.entries(headers).filter(([name]) => !CREDENTIALS.has(name.toLowerCase())));
      url = next;
    }
  }

  return {
    async check(host, allowPrivate) {
      const way = (await egress?.()) ?? null;
      if (way === null) await checkedAddresses(host, { lookup, allowPrivate });
      else await egressTarget(host, way, { lookup, allowPrivate });
    },
    async fetch(address, options) {
      const deadline = createDeadline(options.timeoutMs, options.signal);
      try {
        const { answer, url } = await answerOf(address, options, deadline.signal);
        const body = await wholeBody(answer, { host: url.host, maxBytes: options.maxBytes });
        return { status: answer.statusCode ?? 0, headers: answer.headers, body, url: url.href };
      } catch (error) {
        throw deadline.explain(error);
      } finally {
        deadline.close();
      }
    },
    async open(address, options) {
      const deadline = createDeadline(options.timeoutMs, options.signal);
      try {
        const { answer, url } = await answerOf(address, options, deadline.signal);
        const body = limitedBody(answer, { host: url.host, maxBytes: options.maxBytes, stallMs: options.timeoutMs });
        const { signal } = options;
        const giveUp = () => body.destroy(new DialError('aborted', 'given up'));
        signal?.addEventListener('abort', giveUp, { once: true });
        body.once('close', () => signal?.removeEventListener('abort', giveUp));
        return { status: answer.statusCode ?? 0, headers: answer.headers, body, url: url.href };
      } catch (error) {
        throw deadline.explain(error);
      } finally {
        deadline.close();
      }
    },
    keep(address, options) {
      const url = webAddress(address);
      return keepConnections((signal) => connectTo(url, options, signal), options.timeoutMs);
    },
    async connect(options) {
      const deadline = createDeadline(options.timeoutMs, options.signal);
      try {
        return await connect(options, deadline.signal);
      } catch (error) {
        throw deadline.explain(error);
      } finally {
        deadline.close();
      }
    },
  };
}

function webAddress(address: string, base?: URL): URL {
  const url = URL.parse(address, base?.href);
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:') || url.hostname === '')
    throw new DialError(base ? 'redirect' : 'address', 'only http:// and https:// addresses are dialled');
  return url;
}

/** Name resolution cannot be cancelled; its late answer is dropped. */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(new DialError('aborted', 'given up'));
    if (signal.aborted) giveUp();
    signal.addEventListener('abort', giveUp, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', giveUp));
  });
}
