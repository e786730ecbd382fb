import { Notification } from 'electron';
import type { PanelEvent } from '../../src-server/contract/events.ts';
import type { Job } from '../../src-server/domains/jobs/contract.ts';
import type { Texts } from '../texts/en.ts';
import { createJobWatch, createRateLimit, noticeFor, type Notice } from './rules.ts';

export interface Notifier {
  /** An event of the panel of this computer. */
  take(event: PanelEvent): void;
  /** A live message of the connected panel: jobs that ended out of sight. */
  takeLive(message: unknown): void;
  say(title: string, body: string, path: string): void;
  /** Of another panel than the one on show: told whether or not the window is looked at. */
  sayOf(notice: Notice): void;
}

export function createNotifier(deps: {
  texts: Texts;
  isEnabled: () => boolean;
  isWatched: () => boolean;
  open: (path: string, panelId?: string) => void;
}): Notifier {
  const { texts, isEnabled, isWatched, open } = deps;
  const limit = createRateLimit(texts, Date.now);
  const endedJobs = createJobWatch(texts);

  function show(notice: Notice): void {
    // A user who looks at the window sees it there.
    if (!isWatched()) put(notice);
  }

  function put(notice: Notice): void {
    if (!isEnabled() || !Notification.isSupported()) return;
    const shown = limit(notice);
    if (shown === null) return;
    const notification = new Notification({ title: shown.title, body: shown.body });
    notification.on('click', () => open(shown.path, shown.panelId));
    notification.show();
  }

  return {
    take(event) {
      const notice = noticeFor(event, texts);
      if (notice !== null) show(notice);
    },
    takeLive(message) {
      const { type, data } = message as { type?: string; data?: unknown };
      if (type === 'jobs' && Array.isArray(data)) for (const notice of endedJobs(data as Job[])) show(notice);
    },
    say: (title, body, path) => show({ kind: 'shell', title, body, path }),
    sayOf: put,
  };
}
