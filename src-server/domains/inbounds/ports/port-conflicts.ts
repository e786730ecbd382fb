import { doListensOverlap } from '../../../core/config/inbound/listen-address.ts';

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

/** `443/tcp` and `443/udp` can coexist, and so can two addresses. */
export function sharedTransports(a: Listener, b: Listener): Transport[] {
  if (a.nodeId !== b.nodeId || areApart(a.serverId, b.serverId) || !doListensOverlap(a, b)) return [];
  return a.transports.filter((transport) => b.transports.includes(transport));
}

const areApart = (a: string | null, b: string | null): boolean => a !== null && b !== null && a !== b;

/** `tcp`, `udp` or `tcpudp`: the name of a set of transports in tags and messages. */
export function transportLabel(transports: readonly Transport[]): string {
  return (['tcp', 'udp'] as const).filter((transport) => transports.includes(transport)).join('');
}
