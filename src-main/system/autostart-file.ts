import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Starts with the user's session, without a window. */
export interface LoginItem {
  isOn(): boolean;
  set(isOn: boolean): Promise<void>;
  /** If it is on: starts the application where it is now, which an update may have moved. */
  follow(): Promise<void>;
}

/**
 * For freedesktop systems: one file in the autostart folder.
 * @param command the executable and its arguments
 */
export function autostartFile(file: string, command: readonly string[]): LoginItem {
  return {
    isOn: () => existsSync(file),
    async set(isOn) {
      if (!isOn) return rm(file, { force: true });
      await mkdir(dirname(file), { recursive: true });
      return writeFile(file, autostartEntry(command));
    },
    async follow() {
      const written = await readFile(file, 'utf8').catch(() => '');
      const entry = autostartEntry(command);
      // One with other arguments is that of another data folder.
      if (written !== entry && written.endsWith(autostartEnd(command))) await writeFile(file, entry);
    },
  };
}

function autostartEntry(command: readonly string[]): string {
  const [executable = ''] = command;
  return `[Desktop Entry]\nType=Application\nName=Switchyard\nExec="${quoted(executable)}"${autostartEnd(command)}`;
}

/** The arguments, and all after them. */
function autostartEnd([, ...args]: readonly string[]): string {
  return `${args.map((each) => ` "${quoted(each)}"`).join('')}\nX-GNOME-Autostart-enabled=true\n`;
}

/** Escaped as the desktop entry specification requires for the `Exec` key. */
const quoted = (text: string): string =>
  text
    .replaceAll(/["`$\\]/g, String.raw`\$&`)
    .replaceAll('\\', '\\\\')
    .replaceAll('%', '%%');
