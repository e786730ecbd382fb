import { join } from 'node:path';
import { powerMonitor, systemPreferences } from 'electron';
import { checkCalls } from '../ipc/handle.ts';
import { checkChannel } from '../lock/lock-calls.ts';
import { createLock, LockFile, NO_LOCK } from '../lock/lock.ts';
import { openJsonFile } from '../preferences/json-file.ts';
import type { Texts } from '../texts/en.ts';
import type { PanelWindow } from '../windows/panel-window.ts';

export const LOCK_PAGE = '/desktop/lock';
/** How often the idle time of this computer is read. */
const LOOK_MS = 10_000;

interface WindowLockDeps {
  /** Folder of the window's files. */
  folder: string;
  texts: Texts;
  window: () => Pick<PanelWindow, 'replace'>;
  /** The tray shows less for a locked window. */
  onChange: (isLocked: boolean) => void;
}

/** The window's lock: what it covers, and what it lets through. */
export function createWindowLock({ folder, texts, window, onChange }: WindowLockDeps) {
  const file = openJsonFile({
    path: join(folder, 'lock.json'),
    schema: LockFile,
    empty: NO_LOCK,
    clock: Date.now,
    onDamaged: () => undefined,
  });
  /** The page to return to once it is unlocked; null: the page of a start. */
  let goesOn: string | null = null;
  const lock = createLock({
    file,
    clock: Date.now,
    idleSec: () => powerMonitor.getSystemIdleTime(),
    system: {
      isThere: () => process.platform === 'darwin' && systemPreferences.canPromptTouchID(),
      prompt: () => systemPreferences.promptTouchID(texts.unlockReason),
    },
    onChange(isLocked) {
      // The page is unloaded, not covered, so that nothing of it can be read.
      if (isLocked) goesOn = window().replace(LOCK_PAGE);
      else window().replace(goesOn ?? '/panel');
      onChange(isLocked);
    },
  });
  checkCalls((channel) => checkChannel(lock, channel));
  return {
    lock,
    /** The page to show: only the lock page while it is locked; the requested page comes after that. */
    pageFor(path: string | undefined): string | undefined {
      if (!lock.isLocked()) return path;
      if (path !== undefined) goesOn = path;
      return LOCK_PAGE;
    },
    mayTell: (channel: string): boolean => !lock.isLocked() || channel === 'shell.open',
    /** Locks with the system, and after this computer was idle for a while. */
    start(): void {
      powerMonitor.on('lock-screen', () => lock.lock());
      powerMonitor.on('suspend', () => lock.lock());
      setInterval(() => lock.lockIdle(), LOOK_MS).unref();
    },
  };
}
