import { Agent, request, type IncomingMessage } from 'node:http';
import { connect, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { untilAbort } from '../../concurrency.ts';
import { socksHandshake } from '../../net/proxy/socks-handshake.ts';

/** Times of a request through an outbound, in whole milliseconds of at least 1. */
export interface Timings {
  httpStatus: number;
  /** To the local end of the proxy. */
  connectMs: number;
  /** Through the chain, plus the TLS handshake of the target; 0 for a plain http target. */
  tlsMs: number;
  /** From the start to the first byte of the response. */
  ttfbMs: number;
  /** Round trip of a second request on the same connection; the whole first one when there was none. */
  delay: number;
}

export interface SocksGetOptions {
  /** Loopback port of the socks inbound. */
  port: number;
  url: URL;
  /** Sends a second request on the open connection. */
  isWarm: boolean;
  timeoutMs: number;
  signal?: AbortSignal | undefined;
}

const DRAIN_BYTES = 256 * 1024;
/** Core 26.7.28 waits 100 ms for the first bytes of a connection; some of its outbounds lose what comes later. */
const FIRST_BYTES_MS = 80;
/** Connections at most. A busy panel may be too late for the first ones. */
const TRIES = 5;

/**
 * GET through a socks inbound, the name resolved at its far end; any HTTP response counts. @throws {Error} without one
 */
export async function socksGet({ port, url, isWarm, timeoutMs, signal }: SocksGetOptions): Promise<Timings> {
  const timeout = AbortSignal.timeout(timeoutMs);
  const limit = signal === undefined ? timeout : AbortSignal.any([timeout, signal]);
  const sockets: Socket[] = [];
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  try {
    const { plain, startedAt, connectedAt } = await untilAbort(reached(port, url, sockets, limit), limit);
    let socket = plain;
    if (url.protocol === 'https:') {
      const servername = isIP(bare(url.hostname)) === 0 ? url.hostname : undefined;
      const secure = connectTls({ socket: plain, ...(servername === undefined ? {} : { servername }) });
      socket = await untilAbort(opened(secure, 'secureConnect', sockets), limit);
    }
    const securedAt = performance.now();
    agent.createConnection = () => socket;
    const { httpStatus, respondedAt } = await untilAbort(get(agent, url, limit), limit);
    const cold = ms(respondedAt - startedAt);
    const warm = isWarm ? await untilAbort(timedGet(agent, url, limit), limit).catch(() => cold) : cold;
    return {
      httpStatus,
      connectMs: ms(connectedAt - startedAt),
      tlsMs: socket === plain ? 0 : ms(securedAt - connectedAt),
      ttfbMs: cold,
      delay: warm,
    };
  } catch (error) {
    if (timeout.aborted && signal?.aborted !== true)
      throw new Error(`no answer within ${timeoutMs / 1000} s`, { cause: error });
    throw error;
  } finally {
    agent.destroy();
    for (const socket of sockets) socket.destroy();
  }
}

const ms = (duration: number): number => Math.max(1, Math.round(duration));
const bare = (host: string): string => host.replace(/^\[(.*)\]$/, '$1');

function opened<S extends Socket>(socket: S, event: string, sockets: Socket[]): Promise<S> {
  sockets.push(socket);
  return new Promise((resolve, reject) => {
    socket.once(event, () => resolve(socket));
    // Kept for the socket's whole life: a late error must not end the panel.
    socket.on('error', reject);
    socket.once('close', () => reject(new Error('the connection was closed')));
  });
}

/** A connection to the target whose first bytes will be in time for the core. */
async function reached(port: number, url: URL, sockets: Socket[], limit: AbortSignal) {
  const targetPort = Number(url.port) || (url.protocol === 'https:' ? 443 : 80);
  for (let tries = 1; ; tries += 1) {
    limit.throwIfAborted();
    const startedAt = performance.now();
    const plain = await opened(connect(port, '127.0.0.1'), 'connect', sockets);
    const connectedAt = performance.now();
    await socksHandshake(plain, bare(url.hostname), targetPort);
    if (performance.now() - connectedAt < FIRST_BYTES_MS || tries === TRIES) return { plain, startedAt, connectedAt };
    plain.destroy();
  }
}

async function timedGet(agent: Agent, url: URL, signal: AbortSignal): Promise<number> {
  const startedAt = performance.now();
  const { respondedAt } = await get(agent, url, signal);
  return ms(respondedAt - startedAt);
}

interface TimedResponse {
  httpStatus: number;
  /** When its headers arrived. */
  respondedAt: number;
}

/** The body is drained, in part when it is long, so that the connection can be used again. */
function get(agent: Agent, url: URL, signal: AbortSignal): Promise<TimedResponse> {
  return new Promise((resolve, reject) => {
    const sent = request({
      agent,
      signal,
      host: bare(url.hostname),
      port: url.port,
      path: `${url.pathname}${url.search}`,
      headers: { Host: url.host, 'User-Agent': 'Mozilla/5.0', Accept: '*/*' },
    });
    sent.on('error', reject);
    sent.once('response', (response: IncomingMessage) => {
      const found = { httpStatus: response.statusCode ?? 0, respondedAt: performance.now() };
      let drained = 0;
      response.on('data', (chunk: Buffer) => {
        drained += chunk.length;
        if (drained > DRAIN_BYTES) response.destroy();
      });
      response.once('error', reject);
      response.once('end', () => resolve(found));
      response.once('close', () => resolve(found));
    });
    sent.end();
  });
}
