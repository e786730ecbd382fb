import ipaddr from 'ipaddr.js';
import { isAnyAddress, isSocketPath, socketOf } from '../../../core/config/inbound/listen-address.ts';

export type Transport = 'tcp' | 'udp';

/** A place where an inbound listens. */
export interface Listener {
  port: number;
  listen: string;
  /** Null = this panel's machine. */
  nodeId: number | null;
  /** The server whose machine it is; null = the active panel, so it may end up on any of them. */
  serverId: string | null;
  transports: readonly Transport[];
}

/**
 * `443/tcp` and `443/udp` can coexist, and so can two addresses; any-address conflicts with every address, but no unix
 * socket.
 */
export function sharedTransports(a: Listener, b: Listener): Transport[] {
  if (a.nodeId !== b.nodeId || areApart(a.serverId, b.serverId) || !doListensOverlap(a, b)) return [];
  return a.transports.filter((transport) => b.transports.includes(transport));
}

const areApart = (a: string | null, b: string | null): boolean => a !== null && b !== null && a !== b;

function doListensOverlap(a: Listener, b: Listener): boolean {
  if (isSocketPath(a.listen) || isSocketPath(b.listen)) return socketOf(a.listen) === socketOf(b.listen);
  if (a.port !== b.port) return false;
  return isEveryAddress(a.listen) || isEveryAddress(b.listen) || canonical(a.listen) === canonical(b.listen);
}

export function isEveryAddress(listen: string): boolean {
  return isAnyAddress(listen) || canonical(listen) === '::';
}

function canonical(listen: string): string {
  const bare = listen.trim().replace(/^\[(.*)\]$/, '$1');
  return ipaddr.isValid(bare) ? ipaddr.process(bare).toString() : bare.toLowerCase();
}

/** `tcp`, `udp` or `tcpudp`: the name of a set of transports in tags and messages. */
export function transportLabel(transports: readonly Transport[]): string {
  return (['tcp', 'udp'] as const).filter((transport) => transports.includes(transport)).join('');
}
