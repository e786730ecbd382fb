/** Bytes are given per interval between two messages to a page. */
const WINDOW_MS = 5_000;

/** Traffic of an inbound on a node, as bytes per five seconds. */
export interface InboundSpeed {
  tag: string;
  up: number;
  down: number;
}

interface Seen {
  up: number;
  down: number;
  /** When the value last changed. */
  atMs: number;
  speed: InboundSpeed | null;
}

/**
 * Speed of inbounds on nodes, from their counters. A smaller value means a restart, and the first value gives no speed.
 * A node may count less often than it is polled, so a difference covers the time since the last change.
 */
export function createSpeeds() {
  const nodes = new Map<number, Map<string, Seen>>();
  let hasReported = false;
  return {
    /** @param counters by the tags used here; an inbound that is left out starts over */
    note(nodeId: number, counters: readonly InboundSpeed[], nowMs: number): void {
      const before = nodes.get(nodeId);
      const now = new Map<string, Seen>();
      for (const { tag, up, down } of counters) {
        const known = before?.get(tag);
        if (known === undefined || up < known.up || down < known.down) {
          now.set(tag, { up, down, atMs: nowMs, speed: null });
        } else if (up === known.up && down === known.down) {
          now.set(tag, { ...known, speed: null });
        } else {
          const part = WINDOW_MS / Math.max(nowMs - known.atMs, WINDOW_MS);
          const speed = { tag, up: Math.round((up - known.up) * part), down: Math.round((down - known.down) * part) };
          now.set(tag, { up, down, atMs: nowMs, speed });
        }
      }
      nodes.set(nodeId, now);
      hasReported = true;
    },
    /** Nothing was counted since the last reading. */
    rest(nodeId: number): void {
      for (const seen of nodes.get(nodeId)?.values() ?? []) seen.speed = null;
    },
    /** The node is disabled or unreachable. */
    clear: (nodeId: number): void => void nodes.delete(nodeId),
    /** Inbounds with traffic; null = no node has reported yet. */
    all: (): InboundSpeed[] | null =>
      hasReported
        ? [...nodes.values()].flatMap((seen) =>
            [...seen.values()].flatMap(({ speed }) => (speed === null ? [] : [speed])),
          )
        : null,
  };
}
export type Speeds = ReturnType<typeof createSpeeds>;
