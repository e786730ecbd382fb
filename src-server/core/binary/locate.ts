import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { delimiter, join, resolve } from 'node:path';
import { isAtLeast } from '../config/core-version.ts';
import { coreVersion, OLDEST_CORE } from './core-version.ts';
import { isForeignExecutable } from './executable-format.ts';

export interface LocateOptions {
  /** Named by the operator: used or reported as unusable, never skipped. */
  binary: string | undefined;
  dataDir: string;
  resourcesDir: string;
  env: NodeJS.ProcessEnv;
}

/** A usable core, or what to do to get one. */
export type FoundCore =
  | { ok: true; path: string; version: string }
  /** `mayPass`: it was killed or too slow, so the next call may find it usable. */
  | { ok: false; text: string; mayPass?: true };

/** File name of the executable on this platform. */
export const CORE_FILE = process.platform === 'win32' ? 'xray.exe' : 'xray';

/** How to get a core: an installed package cannot build one, but has a page that downloads it. */
const GET_CORE = process.env['PANEL_COMMAND'] === undefined ? 'npm run core' : 'page Core, Versions';

/**
 * Finds the executable: the named one, else the one in the data folder (where updates go), else the one in the
 * resources, else the one on the PATH. The first that exists is taken, so a broken core is reported and not silently
 * replaced.
 */
export async function locateCore(options: LocateOptions, childEnv: NodeJS.ProcessEnv): Promise<FoundCore> {
  if (options.binary !== undefined && options.binary !== '') {
    const path = resolve(options.binary);
    if (!(await isFile(path))) {
      return {
        ok: false,
        text: `The core was set to ${path}, but there is no such file. Correct the path, or leave it out and get one: ${GET_CORE}`,
      };
    }
    return check(path, childEnv);
  }
  for (const path of candidates(options)) {
    if (await isFile(path)) return check(path, childEnv);
  }
  return {
    ok: false,
    text: `No proxy core was found. Get one (${GET_CORE}), or put an ${CORE_FILE} of version ${OLDEST_CORE} or newer into ${join(options.dataDir, 'core')}.`,
  };
}

/** Places to look at, in this order, when no path was named. */
function candidates({ dataDir, resourcesDir, env }: Omit<LocateOptions, 'binary'>): string[] {
  const onPath = (env.PATH ?? env.Path ?? '').split(delimiter).filter((folder) => folder !== '');
  return [
    join(dataDir, 'core', CORE_FILE),
    join(resourcesDir, 'core', CORE_FILE),
    ...onPath.map((folder) => join(folder, CORE_FILE)),
  ];
}

/** Whether this executable can be used here; when not, with a text that says what to do. */
export async function checkCore(path: string, childEnv: NodeJS.ProcessEnv): Promise<FoundCore> {
  return (await isFile(path)) ? check(path, childEnv) : { ok: false, text: `There is no file ${path}.` };
}

async function check(path: string, childEnv: NodeJS.ProcessEnv): Promise<FoundCore> {
  try {
    if (process.platform !== 'win32') await access(path, constants.X_OK);
    const version = await coreVersion(path, childEnv);
    if (version === undefined) return { ok: false, text: silentText(path), mayPass: true };
    if (version === null) {
      if (await isForeignExecutable(path)) return { ok: false, text: foreignText(path) };
      return {
        ok: false,
        text: `${path} did not answer like a core when asked for its version. Replace it: ${GET_CORE}`,
      };
    }
    if (!isAtLeast(version, OLDEST_CORE)) {
      return {
        ok: false,
        text: `The core in ${path} is version ${version}; at least ${OLDEST_CORE} is needed. Update it: ${GET_CORE}`,
      };
    }
    return { ok: true, path, version };
  } catch (error) {
    return { ok: false, text: unusableText(path, error) };
  }
}

function unusableText(path: string, error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'EACCES' || code === 'EPERM')
    return `${path} is not executable. Allow it (chmod 755), or replace it: ${GET_CORE}`;
  if (code === 'ENOEXEC' || code === 'EBADARCH' || code === 'UNKNOWN' || code === 'ENOENT') return foreignText(path);
  return `${path} cannot be started (${code || String(error)}). Replace it: ${GET_CORE}`;
}

function silentText(path: string): string {
  return `${path} did not say its version: it was killed, or took longer than 5 s. The machine may be busy or short of memory. If it stays so, replace it: ${GET_CORE}`;
}

function foreignText(path: string): string {
  return `${path} was built for another system than ${process.platform} ${process.arch}. Replace it: ${GET_CORE}`;
}

async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
}
