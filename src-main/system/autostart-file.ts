import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Starts with the user's session, without a window. */
export interface LoginItem {
  isOn(): boolean;
  set(isOn: boolean): Promise<void>;
}

/** For freedesktop systems: one file in the autostart folder. */
export function autostartFile(file: string, executable: string): LoginItem {
  return {
    isOn: () => existsSync(file),
    async set(isOn) {
      if (!isOn) return rm(file, { force: true });
      await mkdir(dirname(file), { recursive: true });
      return writeFile(file, autostartEntry(executable));
    },
  };
}

/** Escaped as the desktop entry specification requires for the `Exec` key. */
function autostartEntry(executable: string): string {
  const quoted = executable
    .replaceAll(/["`$\\]/g, String.raw`\$&`)
    .replaceAll('\\', '\\\\')
    .replaceAll('%', '%%');
  return `[Desktop Entry]\nType=Application\nName=Switchyard\nExec="${quoted}" --hidden\nX-GNOME-Autostart-enabled=true\n`;
}
