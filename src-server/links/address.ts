import { isIP } from 'node:net';
import type { LinkInbound } from './types.ts';

/** What addresses fall back to: settings first, then the host that the request was sent to. */
export interface AddressSources {
  subDomain: string;
  webDomain: string;
  /** Without port. */
  requestHost: string;
}

/** Where clients dial an inbound: its node, what it listens on, the configured domain, the host of the request. */
export function resolveAddress({ nodeAddress, listen }: LinkInbound, sources: AddressSources): string {
  const domain = sources.subDomain || sources.webDomain;
  const chosen = nodeAddress || (isRoutable(listen) ? listen : '') || domain || normalHost(sources.requestHost);
  return unbracketed(chosen);
}

/** A host that nobody else could reach is of no use in a link. */
function normalHost(host: string): string {
  const bare = unbracketed(host);
  return isIP(bare) !== 0 && !isRoutable(bare) ? 'localhost' : bare;
}

/** Hostnames and private addresses count as reachable; sockets, loopback and "any address" do not. */
export function isRoutable(listen: string): boolean {
  if (listen === '' || listen.startsWith('@') || listen.startsWith('/')) return false;
  const bare = unbracketed(listen);
  return !(bare.startsWith('127.') && isIP(bare) === 4) && !['::1', '0.0.0.0', '::'].includes(bare);
}

export const unbracketed = (host: string): string => host.replace(/^\[|\]$/g, '');
/** As a URL wants it: literal IPv6 in brackets, once. */
export function bracketed(host: string): string {
  const bare = unbracketed(host);
  return isIP(bare) === 6 ? `[${bare}]` : bare;
}
