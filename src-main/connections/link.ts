import { request as httpRequest, type Agent, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Socket } from 'node:net';
import { pipeline, Readable } from 'node:stream';
import { json } from 'node:stream/consumers';
import { createGunzip } from 'node:zlib';
import { WebSocket } from 'ws';
import { getReachability } from '../../src-server/domains/server/contract.ts';
import type { PanelPlace } from '../supervisor/state.ts';
import type { PageResponse, PageRequest } from '../protocol/exchange.ts';
import { checkedAgent } from './checked-agent.ts';
import type { ConnectionSecrets, SavedConnection } from './connection.ts';
import { createCookieJar } from './cookie-jar.ts';

/** Headers the page may send to a panel; the rest (cookies, origin, host, the browser's own) stays here. */
const PASSED_UP = [
  'accept',
  'accept-language',
  'content-type',
  'content-length',
  'x-csrf-token',
  'x-request-id',
  'x-requested-with',
  'if-none-match',
  'authorization',
];

/** A connection under way that brings nothing for this long after it is in doubt is dead. */
const SIGN_OF_LIFE_MS = 10_000;

/** The connection to one panel. */
export interface Link {
  /** Signed in as browsers are: the panel checks that changes come from a page of the session. */
  readonly isSession: boolean;
  /** Sends a call. Rejects when the panel cannot be reached. */
  forward(request: PageRequest): Promise<PageResponse>;
  /** Opens the live stream; null where the panel offers none to this kind of sign-in. */
  openStream(): Promise<WebSocket | null>;
  /** Address for browsers of other devices, base path included; null where it answers on this computer only. */
  address(): Promise<string | null>;
  /** After sleep, or on another network: a kept connection may be dead, and does not say so. */
  renew(): void;
  close(): void;
}

/**
 * This computer's panel, over its private socket: being able to open it proves that the user is its owner.
 * @param place where the panel is, as soon as it runs
 */
export function localLink(place: () => Promise<PanelPlace>): Link {
  const basePath = ({ panel }: PanelPlace): string => new URL(panel).pathname;
  async function forward(request: PageRequest): Promise<PageResponse> {
    const running = await place();
    const path = basePath(running) + request.path.slice(1);
    return send(httpRequest, { socketPath: running.socket, path, headers: headersFor(request, {}) }, request);
  }
  return {
    isSession: false,
    forward,
    async openStream() {
      const running = await place();
      // On one machine, compressing a message costs more than sending it.
      const options = { handshakeTimeout: 10_000, perMessageDeflate: false };
      return new WebSocket(`ws+unix:${running.socket}:${basePath(running)}ws`, options);
    },
    address: async () => (await lanAddress(forward)) ?? null,
    renew: () => undefined,
    close: () => undefined,
  };
}

/** The address at which the panel says other devices reach it; undefined when it answers on this computer only. */
async function lanAddress(forward: Link['forward']): Promise<string | undefined> {
  const { body } = await forward({
    method: getReachability.method,
    path: getReachability.path,
    headers: {},
    body: null,
  });
  const { obj } = (body instanceof Readable ? await json(body) : JSON.parse(body.toString())) as { obj: unknown };
  return getReachability.result.parse(obj).addresses[0];
}

/**
 * A remote panel, with its saved credentials.
 * @param onCookies called when signing in or out changed the session
 * @param onCertificate called with the expiry of the presented certificate, in ms since the epoch
 */
export function remoteLink(
  saved: SavedConnection,
  secrets: ConnectionSecrets,
  onCookies: (cookies: Record<string, string>) => void,
  onCertificate: (endsAtMs: number) => void = () => undefined,
): Link {
  const base = new URL(saved.address);
  const jar = createCookieJar(saved.signIn === 'session' ? (secrets.cookies ?? {}) : {}, onCookies);
  const agent: Agent = checkedAgent(saved.address, saved.trust, secrets.clientKey, ({ valid_to: end }) =>
    onCertificate(Date.parse(end)),
  );
  const openRequest = base.protocol === 'https:' ? httpsRequest : httpRequest;
  const place = {
    host: base.hostname.replaceAll(/[[\]]/g, ''),
    port: base.port === '' ? (base.protocol === 'https:' ? 443 : 80) : Number(base.port),
  };
  const proof = (): Record<string, string> => {
    if (saved.signIn === 'token') return { authorization: `Bearer ${secrets.token ?? ''}` };
    const cookie = jar.header();
    return saved.signIn === 'session' && cookie !== '' ? { cookie } : {};
  };
  return {
    isSession: saved.signIn === 'session',
    forward: (request) =>
      send(
        openRequest,
        {
          ...place,
          agent,
          path: base.pathname + request.path.slice(1),
          headers: { ...headersFor(request, proof()), host: base.host, 'accept-encoding': 'gzip' },
        },
        request,
        (lines) => saved.signIn === 'session' && jar.take(lines),
      ),
    openStream: async () =>
      saved.signIn === 'session'
        ? new WebSocket(new URL('ws', saved.address.replace(/^http/, 'ws')), {
            agent,
            headers: proof(),
            handshakeTimeout: 10_000,
          })
        : null,
    address: async () => saved.address,
    renew: () => endDead(agent),
    close: () => agent.destroy(),
  };
}

/** Ends connections that wait for a call, and those under way that receive nothing any more. */
function endDead({ freeSockets, sockets }: Agent): void {
  const all = (by: NodeJS.ReadOnlyDict<Socket[]>): Socket[] => Object.values(by).flatMap((some) => some ?? []);
  for (const idle of all(freeSockets)) idle.destroy();
  for (const busy of all(sockets)) {
    const { bytesRead } = busy;
    setTimeout(() => busy.bytesRead === bytesRead && busy.destroy(), SIGN_OF_LIFE_MS).unref();
  }
}

function headersFor({ headers }: PageRequest, proof: Record<string, string>): Record<string, string> {
  // With a token of its own the page asks as another program would: the window's sign-in would answer in its place.
  const sent: Record<string, string> = headers['authorization'] === undefined ? { ...proof } : {};
  for (const name of PASSED_UP) {
    const value = headers[name];
    if (value !== undefined) sent[name] = value;
  }
  return sent;
}

function send(
  openRequest: typeof httpRequest,
  options: RequestOptions,
  { method, body, signal }: PageRequest,
  onCookies: (lines: readonly string[]) => void = () => undefined,
): Promise<PageResponse> {
  return new Promise((resolve, reject) => {
    const request = openRequest({ ...options, method, ...(signal === undefined ? {} : { signal }) }, (response) => {
      onCookies(response.headers['set-cookie'] ?? []);
      resolve({ status: response.statusCode ?? 502, headers: flat(response), body: decoded(response) });
    });
    request.once('error', reject);
    if (body === null) request.end();
    else pipeline(body, request, (error) => error instanceof Error && reject(error));
  });
}

function flat({ headers }: IncomingMessage): Record<string, string> {
  const isPacked = headers['content-encoding'] === 'gzip';
  return Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => !(isPacked && name === 'content-length'))
      .map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : (value ?? '')]),
  );
}

function decoded(response: IncomingMessage): Readable {
  if (response.headers['content-encoding'] !== 'gzip') return response;
  return pipeline(response, createGunzip(), () => undefined);
}
