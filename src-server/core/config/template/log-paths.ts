import { posix, win32 } from 'node:path';
import type { Json, JsonObject } from '../source.ts';
import { isJsonObject } from '../json-access.ts';

/**
 * The `log` section with its files confined to the panel's log folder: a value that is neither empty nor `none` keeps
 * only its base name, so that a template cannot make the core write anywhere else. The caller creates the folder.
 */
function confinedLog(log: JsonObject, logFolder: string): JsonObject {
  const confined = { ...log };
  for (const key of ['access', 'error']) {
    const path = confined[key];
    if (typeof path !== 'string' || path === '' || path === 'none') continue;
    confined[key] = confinedPath(path, logFolder);
  }
  return confined;
}

/** Both separators count: a template may come from another operating system. A name without a base means stdout. */
export function confinedPath(path: string, logFolder: string): string {
  const name = win32.basename(path);
  if (name === '' || name === '.' || name === '..' || name.includes(':')) return '';
  return (logFolder.includes('\\') ? win32 : posix).join(logFolder, name);
}

export function withConfinedLog(config: JsonObject, logFolder: string): JsonObject {
  const log: Json | undefined = config['log'];
  return isJsonObject(log) ? { ...config, log: confinedLog(log, logFolder) } : config;
}
