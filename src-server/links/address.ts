import ipaddr from 'ipaddr.js';
import type { LinkInbound } from './types.ts';

export interface AddressSources {
  /** Address of the node that runs the inbound; empty = none. */
  nodeAddress: string;
  subDomain: string;
  webDomain: string;
  /** Host in the request, without port. */
  requestHost: string;
}

/**
 * Whether clients elsewhere could dial an inbound's listen address: any name, any address except loopback and wildcard.
 */
function isRoutable(listen: string): boolean {
  if (listen === '' || listen.startsWith('@') || listen.startsWith('/')) return false;
  const bare = unbracketed(listen);
  if (!ipaddr.isValid(bare)) return true;
  return !['loopback', 'unspecified'].includes(ipaddr.process(bare).range());
}

/** Whether an inbound is reached only through another inbound's fallback. */
export function isBehindFallback(listen: string): boolean {
  if (listen.startsWith('@') || listen.startsWith('/')) return true;
  const bare = unbracketed(listen);
  return listen === 'localhost' || (ipaddr.isValid(bare) && ipaddr.process(bare).range() === 'loopback');
}

/**
 * Address in the links of an inbound: of the node, else the listen address, the configured domain, or the request's
 * host.
 */
export function resolveAddress(inbound: Pick<LinkInbound, 'listen'>, sources: AddressSources): string {
  const domain = sources.subDomain === '' ? sources.webDomain : sources.subDomain;
  if (sources.nodeAddress !== '') return unbracketed(sources.nodeAddress);
  if (isRoutable(inbound.listen)) return unbracketed(inbound.listen);
  if (domain !== '') return unbracketed(domain);
  const host = unbracketed(sources.requestHost);
  return ipaddr.isValid(host) && ipaddr.process(host).range() === 'loopback' ? 'localhost' : host;
}

function unbracketed(address: string): string {
  return address.replace(/^\[(.*)\]$/, '$1');
}
