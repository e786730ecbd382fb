import { Agent, request, type IncomingMessage } from 'node:http';
import { connect, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { untilAbort } from '../../../src-server/concurrency.ts';
import { socksHandshake } from '../../../src-server/net/proxy/socks-handshake.ts';

/** How much of a download counts. */
const WANTED_BYTES = 1024 * 1024;
const FIRST_BYTE_MS = 12_000;
const WHOLE_MS = 45_000;
const MAX_ADDRESS_BYTES = 64 * 1024;

export interface Measured {
  /** From the start to the first byte of the response, in ms. */
  firstByteMs: number;
  bytesPerSec: number;
}

/** Fetches through the socks inbound on a port of loopback; names are resolved at the far end. @throws {Error} */
export async function measure(port: number, url: URL, signal: AbortSignal): Promise<Measured> {
  const startedMs = performance.now();
  return through(port, url, signal, async (response) => {
    if ((response.statusCode ?? 0) >= 400) throw new Error(`the download answers with status ${response.statusCode}`);
    let bytes = 0;
    let firstMs = 0;
    for await (const piece of response) {
      if (firstMs === 0) firstMs = performance.now();
      bytes += (piece as Buffer).length;
      if (bytes >= WANTED_BYTES) break;
    }
    if (firstMs === 0) throw new Error('the download is empty');
    const tookMs = Math.max(1, performance.now() - firstMs);
    return {
      firstByteMs: Math.max(1, Math.round(firstMs - startedMs)),
      bytesPerSec: Math.round((bytes * 1_000) / tookMs),
    };
  });
}

/** The address at which the traffic comes out; empty if unknown. */
export async function exitAddress(port: number, url: URL, signal: AbortSignal): Promise<string> {
  return through(port, url, signal, async (response) => {
    let text = '';
    for await (const piece of response) {
      text += (piece as Buffer).toString();
      if (text.length > MAX_ADDRESS_BYTES) break;
    }
    return addressIn(text);
  }).catch(() => '');
}

/** The address in a text, a JSON member, or a line `ip=…`. */
export function addressIn(text: string): string {
  const words = text.split(/[\s"',=<>{}[\]]+/);
  return words.find((word) => isIP(word) !== 0) ?? '';
}

async function through<T>(
  port: number,
  url: URL,
  signal: AbortSignal,
  read: (response: IncomingMessage) => Promise<T>,
): Promise<T> {
  const whole = AbortSignal.any([signal, AbortSignal.timeout(WHOLE_MS)]);
  const early = new AbortController();
  const timer = setTimeout(() => early.abort(), FIRST_BYTE_MS);
  const first = AbortSignal.any([whole, early.signal]);
  const sockets: Socket[] = [];
  const agent = new Agent({ maxSockets: 1 });
  try {
    const plain = await untilAbort(opened(connect(port, '127.0.0.1'), 'connect', sockets), first);
    const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
    const isSecure = url.protocol === 'https:';
    await untilAbort(socksHandshake(plain, host, Number(url.port) || (isSecure ? 443 : 80)), first);
    let socket = plain;
    if (isSecure) {
      const named = isIP(host) === 0 ? { servername: host } : {};
      socket = await untilAbort(opened(connectTls({ socket: plain, ...named }), 'secureConnect', sockets), first);
    }
    agent.createConnection = () => socket;
    const response = await untilAbort(sendRequest(agent, url), first);
    clearTimeout(timer);
    return await untilAbort(read(response), whole);
  } catch (error) {
    if (early.signal.aborted && !signal.aborted)
      throw new Error(`no answer within ${FIRST_BYTE_MS / 1_000} s`, { cause: error });
    throw error;
  } finally {
    clearTimeout(timer);
    agent.destroy();
    for (const socket of sockets) socket.destroy();
  }
}

function sendRequest(agent: Agent, url: URL): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const outgoing = request({
      agent,
      host: url.hostname,
      path: `${url.pathname}${url.search}`,
      headers: { Host: url.host, 'User-Agent': 'Mozilla/5.0', Accept: '*/*' },
    });
    outgoing.on('error', reject);
    outgoing.once('response', resolve);
    outgoing.end();
  });
}

function opened<S extends Socket>(socket: S, event: string, sockets: Socket[]): Promise<S> {
  sockets.push(socket);
  return new Promise((resolve, reject) => {
    socket.once(event, () => resolve(socket));
    // Attached for the socket's whole life: a late error must not end the process.
    socket.on('error', reject);
    socket.once('close', () => reject(new Error('the connection was closed')));
  });
}
