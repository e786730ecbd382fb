import type { PanelEvent as BusEvent } from '../../../contract/events.ts';
import type { Happened } from '../flapping.ts';

const MAX_CHARACTERS = 1_000;
const short = (text: string): string => text.slice(0, MAX_CHARACTERS).toWellFormed();

/** Maps bus messages to events; null for those that are not news. */
export function fromBus(event: BusEvent, atMs: number): Happened | null {
  switch (event.type) {
    case 'loginAttempt': {
      const { ok, username, address, reason } = event;
      return { kind: 'login.attempt', atMs, facts: { ok, username: short(username), address, reason } };
    }
    case 'coreCrash':
      return { kind: 'core.crash', atMs, facts: { error: short(event.text) } };
    case 'outboundDown':
      return {
        kind: 'outbound.down',
        atMs,
        facts: { tag: event.tag, delayMs: event.delay, error: short(event.error) },
      };
    case 'outboundUp':
      return { kind: 'outbound.up', atMs, facts: { tag: event.tag, delayMs: event.delay } };
    case 'nodeDown':
    case 'nodeUp': {
      const { nodeId, name, latencyMs, cpuPct, memPct, coreState, coreError, error } = event;
      return {
        kind: event.type === 'nodeDown' ? 'node.down' : 'node.up',
        atMs,
        facts: { nodeId, name, latencyMs, cpuPct, memPct, coreState, coreError: short(coreError), error: short(error) },
      };
    }
    case 'happened':
      return { kind: event.kind, atMs, facts: event.facts };
    default:
      return null;
  }
}
