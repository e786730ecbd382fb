import { Notification } from 'electron';
import type { PanelEvent } from '../../src-server/contract/events.ts';
import type { Job } from '../../src-server/domains/jobs/contract.ts';
import { LOCAL } from '../connections/connection.ts';
import type { Texts } from '../texts/en.ts';
import { createJobWatch, createRateLimit, isSeen, noticeFor, type Notice } from './rules.ts';

/** More than a system shows, even in the list of those that were missed. */
const MAX_KEPT = 50;

export function createNotifier(deps: {
  texts: Texts;
  isEnabled: () => boolean;
  /** Whether the window has the focus. */
  isWatched: () => boolean;
  /** The panel that the window is connected to. */
  connectedId: () => string;
  open: (path: string, panelId: string) => void;
}) {
  const { texts, isEnabled, isWatched, connectedId, open } = deps;
  const limit = createRateLimit(texts, Date.now);
  const endedJobs = createJobWatch(texts);
  /** The newest ones: a click on one that was collected as garbage would do nothing. */
  const kept: Notification[] = [];

  function show(notice: Notice): void {
    if (!isSeen(notice, isWatched(), connectedId())) put(notice);
  }

  function put(notice: Notice): void {
    if (!isEnabled() || !Notification.isSupported()) return;
    const shown = limit(notice);
    if (shown === null) return;
    const notification = new Notification({ title: shown.title, body: shown.body });
    notification.on('click', () => open(shown.path, shown.panelId));
    notification.show();
    kept.push(notification);
    if (kept.length > MAX_KEPT) kept.shift();
  }

  return {
    /** An event of this computer's panel. */
    take(event: PanelEvent): void {
      const notice = noticeFor(event, texts);
      if (notice !== null) show(notice);
    },
    /** A live message of the connected panel: shows jobs that ended out of sight. */
    takeLive(message: unknown): void {
      const { type, data } = message as { type?: string; data?: unknown };
      if (type === 'jobs' && Array.isArray(data))
        for (const notice of endedJobs(data as Job[], connectedId())) show(notice);
    },
    /** This computer's panel itself has no more to say. */
    say: (title: string, body: string, path: string): void =>
      show({ kind: 'shell', title, body, path, panelId: LOCAL }),
    /** A notice of a panel that is not the shown one: shown whether or not the window has the focus. */
    sayOf: put,
  };
}
export type Notifier = ReturnType<typeof createNotifier>;
