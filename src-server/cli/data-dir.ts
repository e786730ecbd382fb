import { homedir } from 'node:os';
import { join } from 'node:path';

/** Where a panel keeps its data when no folder is named: the place each system has for data of one user. */
export function defaultDataDir(
  env: NodeJS.ProcessEnv = process.env,
  platform: NodeJS.Platform = process.platform,
): string {
  if (platform === 'win32') return join(env['APPDATA'] ?? join(homedir(), 'AppData', 'Roaming'), 'Switchyard');
  if (platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'Switchyard');
  const xdg = env['XDG_DATA_HOME'] ?? '';
  // The specification of these folders says that a relative value is to be ignored.
  return join(xdg.startsWith('/') ? xdg : join(homedir(), '.local', 'share'), 'switchyard');
}
