import { globalShortcut } from 'electron';

const SHORTCUT = 'CommandOrControl+Shift+Space';
/** As the interface shows it. */
export const SHOWN_SHORTCUT = process.platform === 'darwin' ? '⌘ ⇧ Space' : 'Ctrl Shift Space';

/** The shortcut that opens the search from any application. */
export function setSearchShortcut(isOn: boolean, open: () => void): void {
  globalShortcut.unregister(SHORTCUT);
  if (isOn) globalShortcut.register(SHORTCUT, open);
}
