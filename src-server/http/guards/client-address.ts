import { isIP } from 'node:net';
import type { IncomingHttpHeaders } from 'node:http';
import ipaddr from 'ipaddr.js';
import { parseAddressRanges } from '../../net/address-ranges.ts';

const LOOPBACK = '127.0.0.1/32,::1/128';
/** No honest proxy sends longer lists. */
const MAX_HOPS = 64;

/** Proxies whose forwarded headers are trusted. */
export interface ProxyTrust {
  trusts(address: string): boolean;
}

/** @param list comma list of IPs and CIDRs; blank means loopback, unreadable entries are ignored. */
export function parseTrustedProxies(list: string): ProxyTrust {
  const isBlank = /^[\s,]*$/.test(list);
  const { ranges } = parseAddressRanges(isBlank ? LOOPBACK : list);
  return { trusts: ranges.includes };
}

/**
 * Address of the client: the socket's, unless the socket is a trusted proxy. Then `X-Forwarded-For` is walked from the
 * right, past trusted proxies, to the first address that no trusted proxy vouches for: everything left of it was
 * written by the client. `X-Real-IP` counts only without `X-Forwarded-For`. `unknown` when the socket has no address.
 */
export function clientAddress(
  socketAddress: string | undefined,
  headers: IncomingHttpHeaders,
  trust: ProxyTrust,
): string {
  const peer = canonicalAddress(socketAddress ?? '');
  if (peer === null) return 'unknown';
  if (!trust.trusts(peer)) return peer;
  const forwarded = headerText(headers['x-forwarded-for']);
  if (forwarded.trim() === '') return canonicalAddress(headerText(headers['x-real-ip'])) ?? peer;
  let nearest = peer;
  for (const entry of forwarded.split(',').slice(-MAX_HOPS).toReversed()) {
    const address = canonicalAddress(entry);
    if (address === null) return nearest;
    nearest = address;
    if (!trust.trusts(address)) return address;
  }
  return nearest;
}

/** Plain address of `1.2.3.4`, `1.2.3.4:80`, `[2001:db8::1]:80` or an IPv4-mapped form; null for anything else. */
function canonicalAddress(entry: string): string | null {
  const text = entry.trim();
  const bare = /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text;
  return isIP(bare) === 0 ? null : ipaddr.process(bare).toString();
}

/** A header that may have been sent several times, as one text. */
export function headerText(value: string | string[] | undefined): string {
  return Array.isArray(value) ? value.join(',') : (value ?? '');
}
