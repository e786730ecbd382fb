import ipaddr from 'ipaddr.js';
import { isIpAddress } from '../cidr.ts';
import { textOf } from '../json-access.ts';
import type { Json } from '../source.ts';

/** "", 0.0.0.0, :: and ::0 all mean every address of both families. */
export function isAnyAddress(listen: string): boolean {
  return ['', '0.0.0.0', '::', '::0', '[::]'].includes(listen.trim());
}

/** What the kernel takes as the name of a socket, in bytes. */
const LONGEST_SOCKET = 107;

/** A path or an abstract name, optionally with `,0600`: the inbound listens on a Unix socket and its port means nothing. */
export function isSocketPath(listen: string): boolean {
  return listen.startsWith('/') || listen.startsWith('@');
}

/** The path or name of a socket without its mode, which does not change the file. */
export function socketOf(listen: string): string {
  return listen.trim().replace(/,\d+$/, '');
}

/** Every address, also in the long form of `::`. */
export function isEveryAddress(listen: string): boolean {
  return isAnyAddress(listen) || canonical(listen) === '::';
}

function canonical(listen: string): string {
  const bare = listen.trim().replace(/^\[(.*)\]$/, '$1');
  return ipaddr.isValid(bare) ? ipaddr.process(bare).toString() : bare.toLowerCase();
}

/** Where something listens; the port of a Unix socket means nothing. */
interface Listening {
  listen: string;
  port: number;
}

/**
 * Whether two of one machine cannot listen over the same transport. Every address overlaps with each, but with no Unix
 * socket.
 */
export function doListensOverlap(a: Listening, b: Listening): boolean {
  if (isSocketPath(a.listen) || isSocketPath(b.listen)) return socketOf(a.listen) === socketOf(b.listen);
  if (a.port !== b.port) return false;
  return isEveryAddress(a.listen) || isEveryAddress(b.listen) || canonical(a.listen) === canonical(b.listen);
}

/** Whether the core can listen on such a socket, as far as its text tells. */
export function isUsableSocket(listen: string): boolean {
  return /^[/@][^,]+(,[0-7]{3,4})?$/.test(listen.trim()) && Buffer.byteLength(socketOf(listen)) <= LONGEST_SOCKET;
}

/**
 * Whether the core can listen there. A host name other than localhost is refused by the core, `env:NAME` panics it when
 * the variable is unset.
 */
export function isListenAddress(listen: string): boolean {
  const address = listen.trim().replace(/^\[(.*)\]$/, '$1');
  return isAnyAddress(listen) || isSocketPath(listen) || address === 'localhost' || isIpAddress(address);
}

/** Splits `host:port` and `[v6]:port`; null when there is no port or the host is an unbracketed IPv6 address. */
export function hostAndPort(text: string): { host: string; port: string } | null {
  const match = /^(?:\[([^\]]*)\]|([^:]*)):([^:]*)$/.exec(text);
  return match === null ? null : { host: match[1] ?? match[2] ?? '', port: match[3] ?? '' };
}

/** A decimal number from 1 to 65535, or null. */
export function portNumber(text: string): number | null {
  if (!/^\d{1,5}$/.test(text)) return null;
  const port = Number(text);
  return port >= 1 && port <= 65_535 ? port : null;
}

/** Whether a port, or a list like `443,1000-2000`, includes `port`. */
export function coversPort(ports: Json | undefined, port: number): boolean {
  if (typeof ports === 'number') return ports === port;
  return textOf(ports)
    .split(',')
    .some((part) => {
      const [from = Number.NaN, to = from] = part.split('-').map(Number);
      return from <= port && port <= to;
    });
}

/** The port of `host:port`, or null. */
export function portOf(listen: string): number | null {
  return portNumber(hostAndPort(listen)?.port ?? '');
}
