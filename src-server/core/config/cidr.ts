import ipaddr from 'ipaddr.js';

/**
 * The network as the core keeps it, host bits cleared (`10.0.0.7/24` is `10.0.0.0/24`); a bare address is its own /32
 * or /128. Null when it is neither.
 */
export function networkOf(text: string): string | null {
  const [address = '', length, ...rest] = text.trim().split('/');
  if (rest.length > 0 || !isIpAddress(address)) return null;
  const parsed = ipaddr.parse(address);
  const full = parsed.kind() === 'ipv4' ? 32 : 128;
  if (length !== undefined && !/^\d{1,3}$/.test(length)) return null;
  const prefix = length === undefined ? full : Number(length);
  if (prefix > full) return null;
  const bytes = parsed.toByteArray().map((byte, index) => byte & mask(prefix - index * 8));
  return `${ipaddr.fromByteArray(bytes).toString()}/${prefix}`;
}

/** `10.0.0.2` becomes `10.0.0.2/32`; the core refuses a bare address in allowedIPs. Other texts stay as they are. */
export function withPrefixLength(text: string): string {
  const address = text.trim();
  if (!isIpAddress(address)) return address;
  return `${address}/${ipaddr.parse(address).kind() === 'ipv4' ? 32 : 128}`;
}

/** Four full numbers or an IPv6 address without zone and brackets: the spellings the core understands. */
export function isIpAddress(text: string): boolean {
  return ipaddr.IPv4.isValidFourPartDecimal(text) || (ipaddr.IPv6.isValid(text) && !text.includes('%'));
}

export function isLoopbackAddress(text: string): boolean {
  const address = text.replace(/^\[(.*)\]$/, '$1');
  return address === 'localhost' || (isIpAddress(address) && ipaddr.process(address).range() === 'loopback');
}

function mask(bits: number): number {
  if (bits >= 8) return 0xff;
  return bits <= 0 ? 0 : (0xff << (8 - bits)) & 0xff;
}
