/** A panel that went back reads in this time what its own core and the nodes that it reaches have counted since. */
export const CATCHES_UP_MS = 20_000;

/** What a node reports of the panels that it manages. */
type Panels = readonly { guid: string; status: string }[];

/**
 * Panels behind a node that went back to an older database which it has not read since. When it does, its counters grow
 * again by what it has forgotten.
 * @param guids value of {@link UnreadBehind.guids} when this panel ended
 */
export function createUnreadBehind(guids: readonly string[]) {
  /** When each was last known to be away; null = before this panel started. */
  const away = new Map<string, number | null>(guids.map((guid) => [guid, null]));
  return {
    /** @param panels null = not reported, so nothing is known to be back @param wentBack the node was just found so */
    note(panels: Panels | null, wentBack: boolean, nowMs: number): void {
      const reported = panels ?? [...away.keys()].map((guid) => ({ guid, status: 'unknown' }));
      for (const { guid, status } of reported)
        if (status !== 'online' && (wentBack || away.has(guid))) away.set(guid, nowMs);
      for (const [guid, atMs] of away) {
        // A clock that was set back says nothing about the time since.
        if (atMs === null || nowMs < atMs) away.set(guid, nowMs);
        else if (nowMs - atMs >= CATCHES_UP_MS) away.delete(guid);
      }
    },
    guids: (): string[] => [...away.keys()],
  };
}
export type UnreadBehind = ReturnType<typeof createUnreadBehind>;
