import { isIP, type Socket } from 'node:net';
import { classifyAddress } from '../address-class.ts';
import { canonicalHost, checkedAddresses, type Lookup, type ResolvedAddress } from '../checked-address.ts';
import { DialError } from '../dial-error.ts';
import { connectThrough, type ProxyAddress } from './proxy-address.ts';

/** An egress other than this machine's own: a SOCKS5 proxy on loopback, or a proxy that an operator names. */
export interface Egress {
  /** Port of the SOCKS5 proxy on loopback, or the proxy itself. */
  via: number | ProxyAddress;
  /**
   * Whether names are resolved at its far end; otherwise they are resolved here, and the checked address is requested.
   */
  isFar: boolean;
  /** Whether hosts in the operator's own network use it too; otherwise they are dialled directly. */
  takesOwnNetwork?: boolean;
}

/**
 * The target requested from the egress for a host; null when the host is in the operator's own network and is dialled
 * directly.
 */
export async function egressTarget(
  host: string,
  { isFar, takesOwnNetwork = false }: Egress,
  options: { lookup: Lookup; allowPrivate: boolean },
): Promise<string | null> {
  const name = canonicalHost(host);
  if (takesOwnNetwork) return isFar ? name : ((await checkedAddresses(name, options))[0]?.address ?? name);
  const isName = isIP(name) === 0;
  if (isFar && isName && !options.allowPrivate) return name;
  const addresses = await resolvedHere(name, options);
  if (addresses === null) return isFar ? name : null;
  const isInternal = addresses.some(({ address }) => classifyAddress(address) !== 'public');
  if (isInternal) return null;
  return isFar ? name : (addresses[0]?.address ?? name);
}

/** Null for a name that is only known elsewhere. */
async function resolvedHere(
  name: string,
  options: { lookup: Lookup; allowPrivate: boolean },
): Promise<ResolvedAddress[] | null> {
  try {
    return await checkedAddresses(name, options);
  } catch (error) {
    if (error instanceof DialError && error.code === 'unresolved') return null;
    throw error;
  }
}

/** A connection to the target through the egress. @throws {DialError} `connect` */
export async function connectEgress(
  { via }: Egress,
  target: { host: string; port: number; signal: AbortSignal; lookup: Lookup },
): Promise<Socket> {
  const isOurs = typeof via === 'number';
  const proxy: ProxyAddress = isOurs ? { scheme: 'socks5', host: '127.0.0.1', port: via } : via;
  const name = isOurs ? "the panel's outbound" : `the proxy ${proxy.host}:${proxy.port}`;
  try {
    return await connectThrough(proxy, target);
  } catch (cause) {
    const text = cause instanceof Error ? cause.message : String(cause);
    throw new DialError('connect', `${target.host}:${target.port} through ${name}: ${text}`, { cause });
  }
}
