import type { OnlineUser } from '../../../core/core.ts';
import type { CutTarget } from '../../../core/sessions/socket-cutter.ts';

/** Where a client's connections may be. */
export interface SessionPlan {
  email: string;
  /** Ports its TCP connections arrive at. */
  ports: readonly number[];
  /** Whether it may also use an inbound over UDP (QUIC, KCP), whose sessions no port and address single out. */
  mayUseUdp: boolean;
  /** Addresses the core reports for it now; null = the core does not know it as connected. */
  live: readonly string[] | null;
  /** Addresses it had within the last half hour: a multiplexed connection may be open there and idle. */
  recent: readonly string[];
}

/** Who else uses a port from an address. */
export type SharedAt = (port: number, address: string) => boolean;

/** Exactly the connections that belong to these clients alone. */
export function cutTargets(plans: readonly SessionPlan[], isShared: SharedAt): CutTarget[] {
  const byPort = new Map<number, Set<string>>();
  for (const { ports, live, recent } of plans) {
    for (const port of ports) {
      const addresses = byPort.get(port) ?? new Set();
      for (const address of [...(live ?? []), ...recent]) if (!isShared(port, address)) addresses.add(address);
      byPort.set(port, addresses);
    }
  }
  return [...byPort].flatMap(([port, addresses]) =>
    addresses.size === 0 ? [] : [{ port, addresses: [...addresses] }],
  );
}

/**
 * Why a client may still be connected. `shared`: another client uses the same port from the same address, so its connection
 * cannot be told apart. `udp`: it is not a TCP connection. `unreachable`: its connections arrive through another address
 * than the core reports, as behind a proxy of its own. `unable`: single connections cannot be ended on this machine.
 * `unknown`: the core cannot tell who is connected. `chosen`: it was asked to leave them.
 */
export type LeftReason = 'shared' | 'udp' | 'unreachable' | 'unable' | 'unknown' | 'chosen';

/** Why the client is still connected after the cut; null when nothing is left of it as far as the core shows. */
export function leftAfterCut(
  plan: SessionPlan,
  wasCut: (port: number, address: string) => boolean,
  isShared: SharedAt,
): LeftReason | null {
  for (const address of plan.live ?? []) {
    if (plan.ports.some((port) => wasCut(port, address))) continue;
    if (plan.ports.some((port) => isShared(port, address))) return 'shared';
    return plan.mayUseUdp ? 'udp' : 'unreachable';
  }
  return null;
}

/** Addresses by e-mail. */
export function addressesOf(online: readonly OnlineUser[]): Map<string, string[]> {
  return new Map(online.map(({ email, ips }) => [email, ips.map(({ ip }) => ip)]));
}
