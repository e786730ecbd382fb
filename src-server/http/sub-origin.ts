import type { IncomingMessage } from 'node:http';
import { headerText, parseTrustedProxies } from './client-address.ts';
import { hostName } from './host-name.ts';

const DEFAULT_TRUST = '127.0.0.1/32,::1/128';

/**
 * Host with port that a subscriber used, for addresses that are shown. Forwarded names are believed from everyone until
 * the operator declares proxies, since they only change what that one visitor sees; from then on from those proxies only.
 */
export function askedHost(request: IncomingMessage, trustedProxies: string): string {
  const own = headerText(request.headers.host);
  const declared = trustedProxies.trim();
  const isOpen = declared === '' || declared === DEFAULT_TRUST;
  const isTrusted = isOpen || parseTrustedProxies(declared).trusts(request.socket.remoteAddress ?? '');
  const forwarded = isTrusted ? headerText(request.headers['x-forwarded-host']).trim() : '';
  if (forwarded !== '' && hostName(forwarded) !== null) return forwarded;
  return hostName(own) === null ? 'localhost' : own;
}
