import { homedir } from 'node:os';
import { join } from 'node:path';

/** Where a panel keeps its data when no folder is named: each system's place for a user's data. */
export function defaultDataDir(
  env: NodeJS.ProcessEnv = process.env,
  platform: NodeJS.Platform = process.platform,
): string {
  if (platform === 'win32') return join(env['APPDATA'] ?? join(homedir(), 'AppData', 'Roaming'), 'Switchyard');
  if (platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'Switchyard');
  const xdg = env['XDG_DATA_HOME'] ?? '';
  // The specification of these folders says that relative values must be ignored.
  return join(xdg.startsWith('/') ? xdg : join(homedir(), '.local', 'share'), 'switchyard');
}
