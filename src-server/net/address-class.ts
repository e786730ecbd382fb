import ipaddr from 'ipaddr.js';

/**
 * Where an address leads: `public` is the open internet; `private` is the operator's own network (loopback, LAN,
 * carrier, link-local, documentation and every other reserved range); `metadata` is a cloud's credential service.
 */
export type AddressClass = 'public' | 'private' | 'metadata';

/** Addresses that give the machine's credentials to any caller. The third looks public and is not. */
const METADATA = new Set([
  '169.254.169.254',
  '169.254.170.2',
  '168.63.129.16',
  '100.100.100.200',
  '192.0.0.192',
  'fd00:ec2::254',
]);

const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Classifies a textual IP address in its canonical form, as a resolver returns it. IPv4 inside IPv6 (mapped, and
 * NAT64's well-known prefix) counts as that IPv4 address; tunnels (6to4, Teredo) and zone ids count as private.
 */
export function classifyAddress(address: string): AddressClass {
  if (address.includes('%') || !ipaddr.isValid(address)) return 'private';
  const plain = unwrapped(ipaddr.parse(address));
  if (METADATA.has(plain.toString())) return 'metadata';
  if (plain.range() !== 'unicast') return 'private';
  if (plain instanceof ipaddr.IPv6 && !plain.match(GLOBAL_UNICAST)) return 'private';
  return 'public';
}

function unwrapped(address: ipaddr.IPv4 | ipaddr.IPv6): ipaddr.IPv4 | ipaddr.IPv6 {
  if (address instanceof ipaddr.IPv4) return address;
  if (address.isIPv4MappedAddress()) return address.toIPv4Address();
  return address.range() === 'rfc6052' ? new ipaddr.IPv4(address.toByteArray().slice(12)) : address;
}
