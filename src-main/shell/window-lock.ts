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
  /** Where the window keeps what it remembers. */
  folder: string;
  texts: Texts;
  window: () => Pick<PanelWindow, 'replace'>;
  /** The tray says other things of a locked window. */
  onChange: (isLocked: boolean) => void;
}

/** The lock of the window: what it covers, and what it lets through. */
export function createWindowLock({ folder, texts, window, onChange }: WindowLockDeps) {
  const file = openJsonFile({
    path: join(folder, 'lock.json'),
    schema: LockFile,
    empty: NO_LOCK,
    clock: Date.now,
    onDamaged: () => undefined,
  });
  /** Where it goes on once it is unlocked; null: where a start goes. */
  let goesOn: string | null = null;
  const lock = createLock({
    file,
    clock: Date.now,
    idleSec: () => powerMonitor.getSystemIdleTime(),
    system: {
      isThere: () => process.platform === 'darwin' && systemPreferences.canPromptTouchID(),
      ask: () => systemPreferences.promptTouchID(texts.unlockReason),
    },
    onChange(isLocked) {
      // The page is unloaded, not covered: nothing of it is left to be read.
      if (isLocked) goesOn = window().replace(LOCK_PAGE);
      else window().replace(goesOn ?? '/panel');
      onChange(isLocked);
    },
  });
  checkCalls((channel) => checkChannel(lock, channel));
  return {
    lock,
    /** What the window may show: the lock page alone while it is locked; what was asked for is shown after that. */
    pageFor(path: string | undefined): string | undefined {
      if (!lock.isLocked()) return path;
      if (path !== undefined) goesOn = path;
      return LOCK_PAGE;
    },
    mayTell: (channel: string): boolean => !lock.isLocked() || channel === 'shell.open',
    /** Locks with the system, and after a while without a hand on this computer. */
    start(): void {
      powerMonitor.on('lock-screen', () => lock.lock());
      powerMonitor.on('suspend', () => lock.lock());
      setInterval(() => lock.lockIdle(), LOOK_MS).unref();
    },
  };
}
