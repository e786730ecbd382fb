import type { OnlineUser } from '../../../core/core.ts';
import type { CutTarget } from '../../../core/sessions/socket-cutter.ts';

/** Possible connections of a client. */
export interface SessionPlan {
  email: string;
  /** Ports at which its TCP connections arrive. */
  ports: readonly number[];
  /**
   * Whether it may also use an inbound over UDP (QUIC, KCP), whose sessions cannot be identified by port and address.
   */
  mayUseUdp: boolean;
  /** Addresses the core currently reports for it; null = the core does not show it as connected. */
  live: readonly string[] | null;
  /** Its addresses within the last half hour: an idle multiplexed connection may be open there. */
  recent: readonly string[];
}

/** Whether another client uses a port from an address. */
export type SharedAt = (port: number, address: string) => boolean;

/** Only the connections that belong to these clients alone. */
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
 * Why a client may still be connected. `shared`: another client uses the same port from the same address, so its
 * connection cannot be distinguished. `udp`: not a TCP connection. `unreachable`: its connections arrive from an
 * address that differs from the one the core reports, such as behind a proxy. `unable`: single connections cannot be
 * ended on this machine. `unknown`: the core cannot tell who is connected. `chosen`: left on request.
 */
export type LeftReason = 'shared' | 'udp' | 'unreachable' | 'unable' | 'unknown' | 'chosen';

/** Why the client is still connected after the cut; null when the core shows nothing of it. */
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
