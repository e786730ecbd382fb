import type { ReachabilityRun } from '../../bridge/maintenance.ts';

/** Names of the inbounds that no way reached, of those that could be tried. */
export function blockedOf({ ways }: ReachabilityRun): string[] {
  const byInbound = new Map<number, { name: string; isReached: boolean }>();
  for (const { inboundId, inbound, state } of ways) {
    if (state === 'unusable') continue;
    const known = byInbound.get(inboundId);
    byInbound.set(inboundId, { name: inbound, isReached: (known?.isReached ?? false) || state === 'ok' });
  }
  return [...byInbound.values()].flatMap(({ name, isReached }) => (isReached ? [] : [name]));
}
