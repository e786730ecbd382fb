/** Bytes are told for as long as a page takes between two messages. */
const WINDOW_MS = 5_000;

/** What an inbound on a node moves, as bytes of five seconds. */
export interface InboundSpeed {
  tag: string;
  up: number;
  down: number;
}

interface Seen {
  up: number;
  down: number;
  /** When it last was another value than before. */
  atMs: number;
  speed: InboundSpeed | null;
}

/**
 * How fast inbounds on nodes move bytes, from their counters: a smaller one is a new start, and the first sight says nothing. A
 * node may count less often than it is asked, so the time since the last change is what a difference belongs to.
 */
export function createSpeeds() {
  const nodes = new Map<number, Map<string, Seen>>();
  let hasTold = false;
  return {
    /** @param counters by the tags that inbounds have here; an inbound that is left out begins anew */
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
      hasTold = true;
    },
    /** Nothing was counted since the last time. */
    rest(nodeId: number): void {
      for (const seen of nodes.get(nodeId)?.values() ?? []) seen.speed = null;
    },
    /** The node is off or does not answer. */
    clear: (nodeId: number): void => void nodes.delete(nodeId),
    /** Those that move; null = no node has told yet. */
    all: (): InboundSpeed[] | null =>
      hasTold
        ? [...nodes.values()].flatMap((seen) =>
            [...seen.values()].flatMap(({ speed }) => (speed === null ? [] : [speed])),
          )
        : null,
  };
}
export type Speeds = ReturnType<typeof createSpeeds>;
