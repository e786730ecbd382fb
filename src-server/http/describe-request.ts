import type { IncomingMessage } from 'node:http';
import type { TLSSocket } from 'node:tls';
import { clientAddress, headerText, type ProxyTrust } from './guards/client-address.ts';
import { hostName, isLocalName } from './guards/host-name.ts';

/** Facts of a request that follow from its connection and headers alone; the same for HTTP and for upgrades. */
export interface RequestFacts {
  address: string;
  origin: { scheme: 'http' | 'https'; host: string };
  /** Host the client meant, without port: the forwarded one from a trusted proxy, else `Host`. */
  hostName: string | null;
  /** The value of the `Host` header itself, without port. */
  rawHostName: string | null;
  isBehindTrustedProxy: boolean;
  userAgent: string;
  requestId: string;
}

export function describeRequest(request: IncomingMessage, trust: ProxyTrust): RequestFacts {
  const { headers, socket } = request;
  const isBehindTrustedProxy = trust.trusts(socket.remoteAddress ?? '');
  const forwarded = (name: string) => (isBehindTrustedProxy ? lastOf(headerText(headers[name])) : '');
  const rawHost = headers.host ?? '';
  const host = forwarded('x-forwarded-host') || rawHost;
  const isSecure = (socket as Partial<TLSSocket>).encrypted === true || forwarded('x-forwarded-proto') === 'https';
  const requestId = headerText(headers['x-request-id']);
  return {
    address: clientAddress(socket.remoteAddress, headers, trust),
    origin: { scheme: isSecure ? 'https' : 'http', host: hostName(host) === null ? '' : host.trim() },
    hostName: hostName(host),
    rawHostName: hostName(rawHost),
    isBehindTrustedProxy,
    userAgent: headerText(headers['user-agent']).slice(0, 512),
    requestId: /^[\w-]{1,64}$/.test(requestId) ? requestId : '',
  };
}

/** Proxies append, so the last value is the one our own proxy wrote. */
function lastOf(list: string): string {
  return (list.split(',').at(-1) ?? '').trim().toLowerCase();
}

/**
 * Whether the name in the request belongs to this panel.
 *
 * With a domain set, only that name, in `Host` or forwarded by a trusted proxy that itself used a local name. Without
 * one, names that cannot belong to a foreign site ({@link isLocalName}), and names that the served certificate covers:
 * under TLS a rebound foreign name fails in the browser. `X-Forwarded-Host` never widens this: a page can send that
 * header itself.
 */
export function isOwnHost(
  facts: RequestFacts,
  webDomain: string,
  certificateCovers: (name: string) => boolean,
): boolean {
  const { rawHostName, hostName: name } = facts;
  if (rawHostName === null) return false;
  const domain = hostName(webDomain);
  if (domain === null) return isLocalName(rawHostName) || certificateCovers(rawHostName);
  if (rawHostName === domain) return true;
  return facts.isBehindTrustedProxy && name === domain && isLocalName(rawHostName);
}

/**
 * Whether the `Origin` header lets a request through: absent (no browser, or a plain navigation) or of the same host
 * name. Ports are not compared: a proxy in front may change them.
 */
export function isOwnOrigin(request: IncomingMessage, facts: RequestFacts): boolean {
  const origin = request.headers.origin;
  if (origin === undefined) return true;
  return URL.canParse(origin) && facts.hostName !== null && hostName(new URL(origin).host) === facts.hostName;
}
