import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** The Electron that opens the window: ELECTRON_BIN, else the installed one. Null when there is none. */
export function electronBinary(env: NodeJS.ProcessEnv = process.env): string | null {
  const named = env['ELECTRON_BIN'] ?? '';
  if (named !== '') return existsSync(named) ? named : null;
  const folder = electronPackage();
  if (folder === null) return null;
  try {
    // The package contains no executable; fetching one leaves its name here.
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

/** From this version on, Electron has everything that the application uses. */
const OLDEST_MAJOR = 38;

/** Why it cannot run the application unchanged (an old one does only with the tests' replacements); empty = it can. */
export function electronTrouble(binary: string): string {
  let version: string;
  try {
    // A release names its version beside the executable.
    version = readFileSync(join(dirname(binary), 'version'), 'utf8').trim();
  } catch {
    return `${binary} has no file named version beside it, so it is no Electron that can be relied on`;
  }
  if (Number.parseInt(version, 10) >= OLDEST_MAJOR) return '';
  return `${binary} is Electron ${version}; the window needs ${OLDEST_MAJOR} or newer`;
}

/** Why no window opens here; empty when one can. */
export function windowTrouble(
  env: NodeJS.ProcessEnv = process.env,
  platform: NodeJS.Platform = process.platform,
): string {
  const named = env['ELECTRON_BIN'] ?? '';
  if (named !== '') {
    const trouble = existsSync(named) ? electronTrouble(named) : `${named} is not there`;
    if (trouble !== '') return `ELECTRON_BIN cannot be used: ${trouble}`;
  }
  if (!hasScreen(env, platform)) return 'there is no screen: neither DISPLAY nor WAYLAND_DISPLAY is set';
  const installed = electronBinary(env);
  return installed === null ? 'Electron is not installed' : electronTrouble(installed);
}

function electronPackage(): string | null {
  try {
    return dirname(createRequire(import.meta.url).resolve('electron/package.json'));
  } catch {
    return null;
  }
}
