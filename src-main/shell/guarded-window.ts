import { join } from 'node:path';
import { session } from 'electron';
import type { Switchboard } from '../connections/switchboard.ts';
import { unreachableWords } from '../connections/unreachable-words.ts';
import { lockedForward } from '../lock/lock-calls.ts';
import type { JsonFile } from '../preferences/json-file.ts';
import type { Preferences } from '../preferences/preferences.ts';
import { createPageHandler } from '../protocol/page-handler.ts';
import { bundleFiles } from '../protocol/bundle-files.ts';
import { serveScheme } from '../protocol/serve-scheme.ts';
import { showDialog } from '../system/show-dialog.ts';
import type { Quitting } from '../system/quitting.ts';
import type { Texts } from '../texts/en.ts';
import { fill } from '../texts/texts.ts';
import { guardContents, guardPermissions } from '../windows/guard-contents.ts';
import { createPanelWindow } from '../windows/panel-window.ts';
import type { AppFiles } from './app-files.ts';
import { createWindowLock } from './window-lock.ts';

/** The page for a panel of this computer that does not start, or a page that crashed twice within a minute. */
export const STOPPED_PAGE = '/desktop/stopped';

interface GuardedWindowDeps {
  files: AppFiles;
  /** Folder of the window's files. */
  folder: string;
  texts: Texts;
  preferences: JsonFile<Preferences>;
  switchboard: Switchboard;
  quitting: () => Quitting;
  /** The page that a window begins with. */
  firstPage: () => string;
  /** The window was closed, or locked: its page is gone. */
  onHidden: () => void;
  /** It was locked or unlocked. */
  onLockChange: () => void;
}

/** A question that is open already is not asked again; this time the answer is no. */
function confirmOnce(confirm: () => Promise<boolean>): () => Promise<boolean> {
  let isConfirming = false;
  return async () => {
    if (isConfirming) return false;
    isConfirming = true;
    return confirm().finally(() => (isConfirming = false));
  };
}

/** The window, guarded and lockable, and the responses to its pages. Only once Electron is ready. */
export function createGuardedWindow(deps: GuardedWindowDeps) {
  const { files, folder, texts, preferences, switchboard, quitting } = deps;
  guardContents(() => texts);
  guardPermissions(session.defaultSession);
  const windowLock = createWindowLock({
    folder,
    texts,
    window: () => panelWindow,
    onChange(isLocked) {
      if (isLocked) deps.onHidden();
      deps.onLockChange();
    },
  });
  const handlePage = createPageHandler({
    files: bundleFiles(files.renderer),
    forward: lockedForward(windowLock.lock, async (request) => {
      if (panelWindow.isLeaving()) throw new Error('this page is being left');
      return switchboard.forward(request);
    }),
    words: (error) => unreachableWords(error, texts),
    notAPanel: (status) => fill(texts.notAPanel, { status }),
  });
  serveScheme(session.defaultSession, handlePage);

  const panelWindow = createPanelWindow({
    preload: files.preload,
    icon: join(files.icons, 'icon-256.png'),
    preferences,
    firstPage: deps.firstPage,
    pageFor: (path) => windowLock.pageFor(path),
    mayTell: (channel) => windowLock.mayTell(channel),
    onClose: () => void quitting().requestClose(),
    onClosed: () => deps.onHidden(),
    confirmLeaving: confirmOnce(async () => {
      const { leaveTitle: message, leaveDetail: detail, leave, stay } = texts;
      return (await showDialog({ message, detail, buttons: [leave, stay] })) === 0;
    }),
    onPageLost: () => panelWindow.reload(STOPPED_PAGE),
    onLogOff: () => void quitting().now(),
  });
  return { panelWindow, windowLock };
}
