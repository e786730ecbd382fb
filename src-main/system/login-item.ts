import { homedir } from 'node:os';
import { join } from 'node:path';
import { app } from 'electron';
import { defaultDataDir } from '../../src-server/cli/data-dir.ts';
import { autostartFile, type LoginItem } from './autostart-file.ts';

/**
 * Starts with the data folder in use, which may not be the usual one.
 * @param executable of this application
 */
export function createLoginItem(executable: string, dataDir: string): LoginItem {
  const isUsual = dataDir === defaultDataDir();
  if (process.platform === 'linux') {
    const configHome = process.env['XDG_CONFIG_HOME'] ?? join(homedir(), '.config');
    const file = join(configHome, 'autostart', 'switchyard.desktop');
    // Inside an AppImage the executable is on a mount that does not last.
    const command = [process.env['APPIMAGE'] ?? executable, '--hidden'];
    return autostartFile(file, isUsual ? command : [...command, `--data-dir=${dataDir}`]);
  }
  // Electron joins these with spaces.
  const args = isUsual ? ['--hidden'] : ['--hidden', `--data-dir="${dataDir}"`];
  return {
    isOn: () => app.getLoginItemSettings({ args }).openAtLogin,
    async set(openAtLogin) {
      app.setLoginItemSettings({ openAtLogin, args });
    },
    // An installer keeps its place.
    follow: async () => undefined,
  };
}
