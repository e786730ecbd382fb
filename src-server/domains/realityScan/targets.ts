import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';
import ipaddr from 'ipaddr.js';

/** A target to probe. Addresses are probed without a name. */
export interface Target {
  host: string;
  port: number;
  isAddress: boolean;
  /** Whether it belongs to a network; silent ones are not listed. */
  isMember: boolean;
}

export type ParsedTarget = { ok: true; target: Target } | { ok: false; reason: string };

/** Default targets: large sites with TLS 1.3 and HTTP/2, none of which the core warns about. */
export const SEED_TARGETS: readonly string[] = [
  'www.cloudflare.com',
  'www.amazon.com',
  'aws.amazon.com',
  'www.samsung.com',
  'www.nvidia.com',
  'www.amd.com',
  'www.intel.com',
  'www.sony.com',
  'dl.google.com',
];

const MAX_MEMBERS = 256;
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i;

/** `host`, `host:port`, `[v6]:port` or a bare IPv6 address; 443 without a port. */
export function parseTarget(text: string): ParsedTarget {
  const trimmed = text.trim();
  if (trimmed === '') return { ok: false, reason: 'target is required' };
  const bracketed = /^\[([^\]]*)\](?::(.*))?$/.exec(trimmed);
  const plain = bracketed !== null || isIP(trimmed) === 6 ? null : /^([^:]*):(.*)$/.exec(trimmed);
  const named = bracketed?.[1] ?? plain?.[1] ?? trimmed;
  const port = portOf(bracketed?.[2] ?? plain?.[2]);
  const host = hostOf(named);
  if (host === null) return { ok: false, reason: `invalid target host: ${named}` };
  if (port === null) return { ok: false, reason: 'invalid target port' };
  return { ok: true, target: { host, port, isAddress: isIP(host) !== 0, isMember: false } };
}

/** Canonical address or ASCII name; null when it is neither. */
export function hostOf(text: string): string | null {
  const bare = text.trim();
  if (isIP(bare) !== 0 && !bare.includes('%')) return ipaddr.parse(bare).toString();
  const name = domainToASCII(bare);
  if (name === '' || name.length > 253 || isIP(name) !== 0) return null;
  const labels = name.split('.');
  // The last label of a name is not a number: such texts are addresses in disguise.
  return labels.every((label) => LABEL.test(label)) && !/^(?:\d+|0x[\da-f]*)$/i.test(labels.at(-1)!) ? name : null;
}

/** The first 256 addresses of a network, including its own and the broadcast address; null when it is not a network. */
export function membersOf(cidr: string): Target[] | null {
  if (!ipaddr.isValidCIDR(cidr)) return null;
  const [address, bits] = ipaddr.parseCIDR(cidr);
  const bytes = address.toByteArray();
  const first = bytes.map((byte, index) => {
    const kept = Math.min(8, Math.max(0, bits - index * 8));
    return byte & (0xff << (8 - kept)) & 0xff;
  });
  const count = Math.min(MAX_MEMBERS, 2 ** Math.min(9, bytes.length * 8 - bits));
  return Array.from({ length: count }, (_, offset) => {
    const member = [...first];
    for (let index = member.length - 1, carry = offset; index >= 0 && carry > 0; index--) {
      const sum = member[index]! + carry;
      member[index] = sum & 0xff;
      carry = sum >> 8;
    }
    return { host: ipaddr.fromByteArray(member).toString(), port: 443, isAddress: true, isMember: true };
  });
}

function portOf(text: string | undefined): number | null {
  if (text === undefined) return 443;
  const port = Number(text);
  return /^\d{1,5}$/.test(text) && port >= 1 && port <= 65_535 ? port : null;
}
