import { join } from 'node:path';
import { delimiter } from 'node:path';
import { coreEnvironment } from './child-env.ts';
import { TRIED_CORE } from './core-version.ts';
import { fetchRelease } from './releases/fetch-release.ts';
import { buildWithGo } from './go-build.ts';
import { DownloadError } from './releases/guarded-get.ts';
import { installBinary, installCompanions, InstallError } from './install.ts';
import type { FoundCore } from './locate.ts';
import { checkCore, CORE_FILE } from './locate.ts';
import { downloadSources } from './releases/sources.ts';

export interface ProvideOptions {
  /** Executable named by the operator; used as it is, or reported as unusable. */
  binary?: string | undefined;
  /** Folder that an executable is installed into, and the first place to look. */
  targetDir: string;
  /** Root of a mirror of the releases; by default their home. Its host may be private. */
  mirror?: string | undefined;
  /** Get a new one even if a usable one exists. */
  force?: boolean;
  env: NodeJS.ProcessEnv;
  /** Progress for a person to read, one line or percentage at a time. */
  say: (line: string) => void;
  /** Time limit for silent servers, in ms; default 15 s. */
  stallMs?: number;
  /** Builds the core when it cannot be downloaded; replaced in tests. */
  build?: (onLine: (line: string) => void) => Promise<Uint8Array>;
}

export interface Provided {
  path: string;
  version: string;
  how: 'named' | 'present' | 'path' | 'downloaded' | 'built';
}

/**
 * Finds a usable core, or gets one: the named one, the installed one, the one on the PATH, a release, a build from source.
 * @throws {InstallError} when there is none, naming what was tried
 */
export async function provideBinary(options: ProvideOptions): Promise<Provided> {
  const { binary, targetDir, env, say } = options;
  const childEnv = coreEnvironment(env, { assetDir: targetDir, certDir: targetDir });
  if (binary !== undefined && binary !== '') {
    const found = await checkCore(binary, childEnv);
    if (!found.ok) throw new InstallError(found.text);
    return { path: found.path, version: found.version, how: 'named' };
  }
  if (!options.force) {
    const present = await checkCore(join(targetDir, CORE_FILE), childEnv);
    if (present.ok) return { path: present.path, version: present.version, how: 'present' };
    const onPath = await firstOnPath(env, childEnv);
    if (onPath?.ok) return { path: onPath.path, version: onPath.version, how: 'path' };
  }
  try {
    return { ...(await installRelease(options)), how: 'downloaded' };
  } catch (error) {
    if (!(error instanceof DownloadError || error instanceof InstallError)) throw error;
    say(`No release could be installed: ${error.message}`);
    say(`Building core ${TRIED_CORE} with Go; this takes a few minutes the first time.`);
    try {
      const content = await (options.build ?? buildWithGo)((line) => say(`  ${line}`));
      return { ...(await installBinary(content, targetDir)), how: 'built' };
    } catch (buildError) {
      if (!(buildError instanceof InstallError)) throw buildError;
      throw new InstallError(
        `There is no core. Download: ${error.message}. Build: ${buildError.message}. ` +
          `Put an ${CORE_FILE} into ${targetDir}, set CORE_BINARY to one, or name a mirror of the releases with --mirror.`,
        { cause: buildError },
      );
    }
  }
}

async function firstOnPath(env: NodeJS.ProcessEnv, childEnv: NodeJS.ProcessEnv): Promise<FoundCore | undefined> {
  for (const folder of (env.PATH ?? env.Path ?? '').split(delimiter)) {
    const found = folder === '' ? undefined : await checkCore(join(folder, CORE_FILE), childEnv);
    if (found?.ok) return found;
  }
  return undefined;
}

/** Downloads, verifies and installs the release for this machine. @throws {DownloadError | InstallError} */
async function installRelease({
  mirror,
  targetDir,
  say,
  stallMs,
}: ProvideOptions): Promise<{ path: string; version: string }> {
  const { releases } = downloadSources(mirror === undefined ? {} : { CORE_MIRROR: mirror });
  let shown = -1;
  const files = await fetchRelease({
    source: releases,
    version: TRIED_CORE,
    part: join(targetDir, `${TRIED_CORE}.part`),
    ...(stallMs === undefined ? {} : { patience: { stallMs } }),
    onUrl: (url) => say(`Downloading ${url}`),
    onProgress: (received, total) => {
      const percent = total === 0 ? 0 : Math.floor((received / total) * 10) * 10;
      if (percent !== shown) say(`  ${(shown = percent)} %`);
    },
  });
  const installed = await installBinary(files.get(CORE_FILE) ?? new Uint8Array(), targetDir);
  await installCompanions(files, targetDir);
  return installed;
}
