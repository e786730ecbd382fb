import type { PanelEvent } from '../../src-server/contract/events.ts';
import type { Job } from '../../src-server/domains/jobs/contract.ts';
import { LOCAL } from '../connections/connection.ts';
import type { Texts } from '../texts/en.ts';
import { fill } from '../texts/texts.ts';

/** A notification of the system; a click opens `path`. */
export interface Notice {
  /** Notices of one kind are grouped. */
  kind: string;
  title: string;
  body: string;
  path: string;
  /** The panel whose page it is; empty: all of them. */
  panelId: string;
}

/** Whether the user who looks at the window sees it there: only what the connected panel reports. */
export function isSeen({ panelId }: Notice, isWatched: boolean, connectedId: string): boolean {
  return isWatched && panelId === connectedId;
}

/** The notification for an event of this computer's panel, null for most. */
export function noticeFor(event: PanelEvent, texts: Texts): Notice | null {
  switch (event.type) {
    case 'told': {
      const { title, body } = event.words[texts.language] ?? { title: '', body: '' };
      // Nodes going down and coming back are grouped.
      const kind = event.kind.split('.')[0]!;
      return title === '' ? null : { kind, title, body: body.slice(0, 200), path: event.path, panelId: LOCAL };
    }
    case 'notification':
      return event.severity === 'warning' || event.severity === 'error'
        ? { kind: 'panel', title: event.title, body: event.body, path: '/panel', panelId: LOCAL }
        : null;
    default:
      return null;
  }
}

/** Follows a panel's list of jobs. @returns what ended since the list before; the first list ends nothing. */
export function createJobWatch(texts: Texts): (jobs: readonly Job[], panelId: string) => Notice[] {
  let running: Set<string> | null = null;
  return (jobs, panelId) => {
    const before = running;
    running = new Set(jobs.filter(({ state }) => state === 'running').map(({ id }) => id));
    return jobs
      .filter(({ id, state }) => before?.has(id) === true && (state === 'done' || state === 'failed'))
      .map(({ state, title, error }) => ({
        kind: 'job',
        title: fill(state === 'done' ? texts.jobDone : texts.jobFailed, { title }),
        body: error,
        path: '/panel',
        panelId,
      }));
  };
}

const WINDOW_MS = 60_000;
/** Most notifications of one kind per minute; further ones are counted and reported with the next one. */
const MAX_PER_WINDOW = 3;

/** Keeps a burst of one kind from covering the screen. @returns the notice to show now, null for none. */
export function createRateLimit(texts: Texts, clock: () => number): (notice: Notice) => Notice | null {
  const shownAtMs = new Map<string, number[]>();
  const kept = new Map<string, number>();
  return (notice) => {
    const nowMs = clock();
    const recent = (shownAtMs.get(notice.kind) ?? []).filter((ms) => ms > nowMs - WINDOW_MS);
    if (recent.length >= MAX_PER_WINDOW) {
      kept.set(notice.kind, (kept.get(notice.kind) ?? 0) + 1);
      return null;
    }
    shownAtMs.set(notice.kind, [...recent, nowMs]);
    const count = kept.get(notice.kind) ?? 0;
    kept.delete(notice.kind);
    if (count === 0) return notice;
    return { ...notice, body: [notice.body, fill(texts.more, { count })].filter(Boolean).join(' · ') };
  };
}
