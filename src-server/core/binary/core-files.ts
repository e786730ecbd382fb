import { chmod, link, copyFile, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DomainError } from '../../contract/domain-error.ts';
import { createConfigCheck, type CheckConfig, type RunCore } from '../process/config-check.ts';
import type { Lifecycle } from '../process/lifecycle/lifecycle.ts';
import { settlesWithin } from '../process/core-process.ts';
import type { ConfigBuilder } from '../process/session.ts';
import type { DesiredState } from '../core.ts';
import { coreEnvironment, type CorePlaces } from './child-env.ts';
import { beginWork, exchangeFiles, newFile, recover } from './exchange.ts';
import { installCompanions } from './install.ts';
import { checkCore, CORE_FILE, type FoundCore } from './locate.ts';
import { runCommand } from './run-command.ts';

/** A core that ends within this time after its start is not healthy. */
const HEALTHY_AFTER_MS = 3_000;

export interface CoreFilesDeps {
  /** Executable and geo files of this panel. */
  folder: string;
  /** Path of the executable, when the operator named one; empty = this panel's own is used. */
  named: string;
  places: CorePlaces;
  env: NodeJS.ProcessEnv;
  dataDir: string;
  logDir: string;
  lifecycle: Lifecycle;
  desired: DesiredState;
  builder: ConfigBuilder;
  /** Tests a config with the present executable and the present files. */
  check: CheckConfig;
  /** The present executable. */
  locate: () => Promise<FoundCore>;
}

/** The core's files as the panel replaces them: tested before, watched afterwards, and rolled back when they fail. */
export interface CoreFiles {
  readonly folder: string;
  /** @throws {DomainError} `coreFiles.named` when the operator named another executable than this panel's own */
  requireOwnExecutable(): void;
  /** Empties and returns the folder for downloads. Leftovers of an interrupted exchange are rolled back first. */
  begin(): Promise<string>;
  /** Where the new copy of a file is prepared. */
  newFile(name: string): string;
  /** Rolls back an interrupted exchange and removes its leftovers. */
  discard(): Promise<void>;
  /**
   * Replaces the present executable with a release, if it answers as `version` and accepts the present config.
   * A core that was stopped by hand stays down.
   * @throws {DomainError} `coreFiles.*` for a core that was refused or rolled back: the earlier one runs again
   */
  installExecutable(files: ReadonlyMap<string, Uint8Array>, version: string, signal?: AbortSignal): Promise<void>;
  /** The same for geo files prepared under {@link newFile}. */
  installGeoFiles(names: readonly string[], signal?: AbortSignal): Promise<void>;
}

export function createCoreFiles(deps: CoreFilesDeps): CoreFiles {
  const { folder, named, places, env, dataDir, logDir, lifecycle, desired, builder, check, locate } = deps;

  const checkWith = (binary: string, assetDir: string): CheckConfig => {
    const environment = coreEnvironment(env, { ...places, assetDir });
    const run: RunCore = (args, timeoutMs) =>
      runCommand(binary, args, { env: environment, cwd: dataDir, ...(timeoutMs === undefined ? {} : { timeoutMs }) });
    return createConfigCheck(run, dataDir);
  };

  /** Only what works now must work afterwards: a config that the present files refuse as well proves nothing. */
  async function refusal(checkNew: CheckConfig, version: string): Promise<string> {
    const { config } = await builder.full(await desired.full(), {
      apiListen: '127.0.0.1:1',
      logFolder: logDir,
      coreVersion: version,
    });
    const text = await checkNew(config);
    if (text === '' || lifecycle.session === null) return text;
    return (await check(config)) === '' ? text : '';
  }

  /** Exchanges, starts again and watches. @returns why it was rolled back; empty when it stays */
  function exchange(names: readonly string[], reason: string): Promise<string> {
    return lifecycle.inLine(async () => {
      if (lifecycle.isClosed) throw new DomainError('core.notRunning');
      const wasRunning = lifecycle.session !== null;
      const exchanged = await exchangeFiles(folder, names);
      if (!lifecycle.isStoppedByHand) {
        const failure = await failureOfStart(reason);
        if (failure !== '') {
          await exchanged.revert();
          // If nothing ran before, rolling back means that nothing runs.
          if (wasRunning && lifecycle.session === null) await lifecycle.restartLocked('the earlier files are back');
          return failure;
        }
      }
      await exchanged.commit();
      return '';
    });
  }

  async function failureOfStart(reason: string): Promise<string> {
    try {
      await lifecycle.restartLocked(reason);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      return error.text;
    }
    const process = lifecycle.session?.process;
    if (process === undefined) return 'it ended at once';
    const hasEnded = await settlesWithin(process.ended, HEALTHY_AFTER_MS);
    return hasEnded ? (await process.ended).text || 'it ended at once' : '';
  }

  const requireOwnExecutable = (): void => {
    if (named !== '') throw new DomainError('coreFiles.named', { path: named });
  };

  return {
    folder,
    requireOwnExecutable,
    newFile: (name) => newFile(folder, name),
    async begin() {
      await mkdir(folder, { recursive: true });
      return beginWork(folder);
    },
    discard: () => recover(folder),

    async installExecutable(files, version, signal) {
      requireOwnExecutable();
      const candidate = newFile(folder, CORE_FILE);
      await writeFile(candidate, files.get(CORE_FILE) ?? new Uint8Array(), { mode: 0o755 });
      await chmod(candidate, 0o755);
      const found = await checkCore(candidate, coreEnvironment(env, places));
      if (!found.ok)
        throw new DomainError('coreFiles.unusable', { text: found.text.replaceAll(candidate, 'The new core') });
      if (found.version !== version) throw new DomainError('coreFiles.otherVersion', { version, found: found.version });
      const refused = await refusal(checkWith(candidate, folder), version);
      if (refused !== '') throw new DomainError('coreFiles.configRefused', { version, text: refused });
      signal?.throwIfAborted();
      const failure = await exchange([CORE_FILE], `core ${version} installed`);
      if (failure !== '') throw new DomainError('coreFiles.rolledBack', { version, text: failure });
      await installCompanions(files, folder);
    },

    async installGeoFiles(names, signal) {
      // The folder as it will be, without a second copy of large files.
      const staged = newFile(folder, '');
      for (const name of await readdir(folder)) {
        if (name.endsWith('.dat') && !names.includes(name)) await sameFile(join(folder, name), join(staged, name));
      }
      const found = await locate();
      if (found.ok) {
        const refused = await refusal(checkWith(found.path, staged), found.version);
        if (refused !== '') throw new DomainError('coreFiles.geoRefused', { text: refused });
      }
      signal?.throwIfAborted();
      const failure = await exchange(names, 'new geo files');
      if (failure !== '') throw new DomainError('coreFiles.geoRolledBack', { text: failure });
    },
  };
}

async function sameFile(from: string, to: string): Promise<void> {
  await link(from, to).catch(() => copyFile(from, to));
}
