import { lookup as resolveName } from 'node:dns/promises';
import { isIP } from 'node:net';
import { classifyAddress } from './address-class.ts';
import { DialError } from './dial-error.ts';

/** One result of name resolution. */
export interface ResolvedAddress {
  address: string;
  family: number;
}

/** Resolves a host name to all its addresses. */
export type Lookup = (host: string) => Promise<ResolvedAddress[]>;

/** The system's resolver. */
export const systemLookup: Lookup = (host) => resolveName(host, { all: true, verbatim: true });

/**
 * A host as URLs write it: lower case, IPv6 without brackets, and every spelling of an IPv4 address (`2130706433`,
 * `0x7f.1`, `0177.0.0.1`) as its four decimal numbers, so that no resolver reads a number differently from the check.
 * @throws {DialError} `address`
 */
export function canonicalHost(host: string): string {
  const bracketed = isIP(host) === 6 ? `[${host}]` : host;
  const url = /[\s/\\?#@%]/.test(host) ? null : URL.parse(`http://${bracketed}/`);
  // A trailing ":80" would be taken as a port and silently dropped.
  if (!url || url.hostname === '' || (!bracketed.startsWith('[') && host.includes(':')))
    throw new DialError('address', `"${host.slice(0, 100)}" is no host name and no address`);
  return url.hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
}

/**
 * Resolves a host once and refuses it when any of its addresses is not allowed: a name with both a public and an
 * internal address is an attempt to get inside. Addresses of credential services are refused even with `allowPrivate`.
 * @returns the addresses to dial, and no others.
 * @throws {DialError} `address`, `unresolved`, `private`
 */
export async function checkedAddresses(
  host: string,
  { lookup, allowPrivate }: { lookup: Lookup; allowPrivate: boolean },
): Promise<ResolvedAddress[]> {
  const name = canonicalHost(host);
  const family = isIP(name);
  const found = family === 0 ? await resolved(name, lookup) : [{ address: name, family }];
  for (const { address } of found) {
    const kind = classifyAddress(address);
    if (kind === 'public' || (kind === 'private' && allowPrivate)) continue;
    const leads = address === name ? name : `${name} leads to ${address}, which`;
    throw new DialError('private', `${leads} is an address of an internal network`, {
      refused: { host: name, address },
    });
  }
  return found;
}

async function resolved(name: string, lookup: Lookup): Promise<ResolvedAddress[]> {
  let found: ResolvedAddress[];
  try {
    found = await lookup(name);
  } catch (cause) {
    throw new DialError('unresolved', `${name} cannot be resolved`, { cause });
  }
  // A resolver that returns names would cause a second, unchecked resolution on connect.
  const addresses = found.filter(({ address }) => isIP(address) !== 0);
  if (addresses.length === 0) throw new DialError('unresolved', `${name} has no address`);
  return addresses;
}
