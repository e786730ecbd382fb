import { BlockList, isIP } from 'node:net';

/** Addresses of a comma list of IPs and CIDRs. */
export interface AddressRanges {
  /** An IPv4-mapped IPv6 address counts as its IPv4 address. Anything that is not an address is not included. */
  includes: (address: string) => boolean;
}

/**
 * Parses a comma list of IPs and CIDRs; blank entries are skipped. Save and enforcement share this parser, so that no
 * entry is accepted that later has no effect.
 * @returns the ranges, and the entries that are neither IP nor CIDR.
 */
export function parseAddressRanges(text: string): { ranges: AddressRanges; invalid: string[] } {
  const list = new BlockList();
  const invalid: string[] = [];
  for (const part of text.split(',')) {
    const entry = part.trim();
    if (entry !== '' && !addTo(list, entry)) invalid.push(entry);
  }
  const includes = (address: string) => {
    const plain = unmapped(address);
    const family = isIP(plain);
    return family !== 0 && !plain.includes('%') && list.check(plain, family === 4 ? 'ipv4' : 'ipv6');
  };
  return { ranges: { includes }, invalid };
}

function addTo(list: BlockList, entry: string): boolean {
  const [address = '', prefix, ...more] = entry.split('/');
  const family = isIP(address);
  if (family === 0 || address.includes('%') || more.length > 0) return false;
  const type = family === 4 ? 'ipv4' : 'ipv6';
  if (prefix === undefined) {
    const plain = unmapped(address);
    list.addAddress(plain, isIP(plain) === 4 ? 'ipv4' : 'ipv6');
    return true;
  }
  const bits = Number(prefix);
  if (!/^\d{1,3}$/.test(prefix) || bits > (family === 4 ? 32 : 128)) return false;
  list.addSubnet(address, bits, type);
  return true;
}

/** A dual-stack socket reports 192.0.2.1 as `::ffff:192.0.2.1`. */
function unmapped(address: string): string {
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address;
}
