import { isIP, type Socket } from 'node:net';
import { classifyAddress } from './address-class.ts';
import { canonicalHost, checkedAddresses, type Lookup, type ResolvedAddress } from './checked-address.ts';
import { connectSocket } from './connect-socket.ts';
import { DialError } from './dial-error.ts';
import { socksHandshake } from './socks-handshake.ts';

/** A way out of this machine that is not its own: a SOCKS5 proxy on loopback. */
export interface Egress {
  port: number;
  /** Names are resolved at its far end; otherwise here, and the checked address is what is asked for. */
  isFar: boolean;
  /** Whether hosts of the operator's own network go this way too; otherwise they are dialled directly. */
  takesOwnNetwork?: boolean;
}

/** What is asked of the egress for a host; null when the host is in the operator's own network and is dialled directly. */
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
  { port: proxyPort }: Egress,
  target: { host: string; port: number; signal: AbortSignal },
): Promise<Socket> {
  const { host, port, signal } = target;
  const addresses = [{ address: '127.0.0.1', family: 4 }];
  const socket = await connectSocket({ host: "the panel's outbound", port: proxyPort, addresses, signal });
  const fail = (): void => void socket.destroy();
  // Until somebody reads it, an error here must not end the panel.
  socket.on('error', fail);
  signal.addEventListener('abort', fail, { once: true });
  try {
    await socksHandshake(socket, host, port);
    return socket;
  } catch (cause) {
    socket.destroy();
    const text = cause instanceof Error ? cause.message : String(cause);
    throw new DialError('connect', `${host}:${port} through the panel's outbound: ${text}`, { cause });
  } finally {
    signal.removeEventListener('abort', fail);
  }
}
