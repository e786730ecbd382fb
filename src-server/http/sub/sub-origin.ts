import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { Logger } from '../../contract/logger.ts';
import { headerText, parseTrustedProxies, type ProxyTrust } from '../guards/client-address.ts';
import { hostName } from '../guards/host-name.ts';

const DEFAULT_TRUST = '127.0.0.1/32,::1/128';

/** How a subscriber reached the server, for displayed addresses and for links without their own address. */
export interface SubOrigin {
  scheme: 'http' | 'https';
  /** Host with port. */
  host: string;
  /** Host without port; a proxy may name its own address instead. */
  name: string;
}

/**
 * Reads the origin of requests. Forwarded names are trusted from everyone until the operator declares proxies, since
 * they only change what that one visitor sees; after that they are trusted from those proxies only.
 */
export function createOriginReader(log: Pick<Logger, 'warn'>) {
  let known: { list: string; trust: ProxyTrust } | null = null;
  let hasWarned = false;

  function isTrusted(request: IncomingMessage, list: string): boolean {
    const declared = list.trim();
    if (declared === '' || declared === DEFAULT_TRUST) return true;
    if (known?.list !== declared) known = { list: declared, trust: parseTrustedProxies(declared) };
    return known.trust.trusts(request.socket.remoteAddress ?? '');
  }

  return (request: IncomingMessage, trustedProxies: string): SubOrigin => {
    const { headers } = request;
    const isTls = request.socket instanceof TLSSocket;
    const own = hostName(headerText(headers.host)) === null ? 'localhost' : headerText(headers.host);
    const direct: SubOrigin = { scheme: isTls ? 'https' : 'http', host: own, name: hostName(own) ?? own };
    const forwardedHost = headers['x-forwarded-host'];
    const forwardedProto = headers['x-forwarded-proto'];
    const realIp = headers['x-real-ip'];
    if (forwardedHost === undefined && forwardedProto === undefined && realIp === undefined) return direct;
    if (!isTrusted(request, trustedProxies)) {
      if (!hasWarned) log.warn('sub.forwardedIgnored', { address: request.socket.remoteAddress ?? '' });
      hasWarned = true;
      return direct;
    }
    const host = headerText(forwardedHost).trim();
    const forwardedAddress = headerText(realIp).trim();
    const name = hostName(host);
    return {
      scheme: isTls || headerText(forwardedProto).trim().toLowerCase() === 'https' ? 'https' : 'http',
      host: name === null ? own : host,
      name: name ?? (isIP(forwardedAddress) === 0 ? direct.name : forwardedAddress),
    };
  };
}
