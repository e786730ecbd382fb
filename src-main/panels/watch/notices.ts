import type { PanelsChoices, WatchKind } from '../../bridge/panels.ts';

/** A notification about a panel; a click opens it there. */
export interface WatchNotice {
  kind: WatchKind;
  /** Empty: all panels. */
  panelId: string;
  title: string;
  body: string;
  /** Page of the panel. */
  path: string;
}

interface NoticesDeps {
  choices: () => PanelsChoices;
  clock: () => number;
  /** Whether a panel is reported as down. */
  isAway: (panelId: string) => boolean;
  tell: (notice: WatchNotice) => void;
}

/** Sends what the operator wants to know, and when: muted kinds are dropped, quiet hours are kept. */
export function createNotices({ choices, clock, isAway, tell }: NoticesDeps) {
  /** Panels that went down in quiet hours: reported afterwards, if they are still down. */
  const held = new Map<string, WatchNotice>();

  return {
    say(notice: WatchNotice): void {
      const { kind, panelId } = notice;
      const { isWatching, quiet, muted } = choices();
      if (!isWatching || (muted[panelId] ?? []).includes(kind)) return;
      if (!isQuiet(quiet, clock())) tell(notice);
      else if (kind === 'down' && isAway(panelId)) held.set(panelId, notice);
    },
    tellHeld(): void {
      if (held.size === 0 || isQuiet(choices().quiet, clock())) return;
      for (const notice of held.values()) tell(notice);
      held.clear();
    },
    /** @returns whether one was held about this panel */
    dropHeld: (panelId: string): boolean => held.delete(panelId),
  };
}

/** @param quiet hours may cross midnight */
export function isQuiet(quiet: PanelsChoices['quiet'], nowMs: number): boolean {
  if (quiet === null) return false;
  const now = new Date(nowMs);
  const minute = now.getHours() * 60 + now.getMinutes();
  const { fromMin, toMin } = quiet;
  return fromMin <= toMin ? minute >= fromMin && minute < toMin : minute >= fromMin || minute < toMin;
}
