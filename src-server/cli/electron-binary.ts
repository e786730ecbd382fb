import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** The Electron to open the window with: ELECTRON_BIN, else the one that is installed here. Null when there is none. */
export function electronBinary(env: NodeJS.ProcessEnv = process.env): string | null {
  const named = env['ELECTRON_BIN'] ?? '';
  if (named !== '') return existsSync(named) ? named : null;
  const folder = electronPackage();
  if (folder === null) return null;
  try {
    // The package itself carries no executable; fetching one leaves its name here.
    const executable = join(folder, 'dist', readFileSync(join(folder, 'path.txt'), 'utf8').trim());
    return existsSync(executable) ? executable : null;
  } catch {
    return null;
  }
}

/** The script of the package that fetches its executable; null in an installation without the package. */
export function electronInstaller(): string | null {
  const folder = electronPackage();
  return folder === null ? null : join(folder, 'install.js');
}

/** Whether a window could be shown here at all. */
export function hasScreen(env: NodeJS.ProcessEnv = process.env, platform: NodeJS.Platform = process.platform): boolean {
  return platform !== 'linux' || Boolean(env['DISPLAY'] ?? env['WAYLAND_DISPLAY']);
}

/** From this version on an Electron has everything that the application uses. */
const OLDEST_MAJOR = 38;

/** Whether it can run the application as it is; an older one only with the stand-ins of the tests. */
export function isCurrentElectron(binary: string): boolean {
  try {
    // A release names its version beside the executable.
    return Number.parseInt(readFileSync(join(dirname(binary), 'version'), 'utf8'), 10) >= OLDEST_MAJOR;
  } catch {
    return false;
  }
}

function electronPackage(): string | null {
  try {
    return dirname(createRequire(import.meta.url).resolve('electron/package.json'));
  } catch {
    return null;
  }
}
