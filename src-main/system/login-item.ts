import { homedir } from 'node:os';
import { join } from 'node:path';
import { app } from 'electron';
import { autostartFile, type LoginItem } from './autostart-file.ts';

/** @param executable of this application */
export function createLoginItem(executable: string): LoginItem {
  if (process.platform === 'linux') {
    const configHome = process.env['XDG_CONFIG_HOME'] ?? join(homedir(), '.config');
    // Inside an AppImage the executable is on a mount that does not last.
    return autostartFile(join(configHome, 'autostart', 'switchyard.desktop'), process.env['APPIMAGE'] ?? executable);
  }
  return {
    isOn: () => app.getLoginItemSettings({ args: ['--hidden'] }).openAtLogin,
    async set(openAtLogin) {
      app.setLoginItemSettings({ openAtLogin, args: ['--hidden'] });
    },
  };
}
