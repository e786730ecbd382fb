import type { RunCore } from '../process/config-check.ts';
import { coreEnvironment, type CorePlaces } from './child-env.ts';
import { locateCore, type FoundCore, type LocateOptions } from './locate.ts';
import { runCommand } from './run-command.ts';

/** The core's executable, looked for anew at each use, with the environment in which the panel runs it. */
export function createCoreProgram(options: LocateOptions, places: CorePlaces) {
  const { dataDir, env } = options;
  const environment = (): NodeJS.ProcessEnv => coreEnvironment(env, places);
  const locate = (): Promise<FoundCore> => locateCore(options, environment());

  async function path(): Promise<string> {
    const found = await locate();
    if (!found.ok) throw new Error(found.text);
    return found.path;
  }

  const run: RunCore = async (args, timeoutMs = 15_000) =>
    runCommand(await path(), args, { env: environment(), timeoutMs, cwd: dataDir });

  return {
    environment,
    /** The executable that would be used now, or what to do to get one. */
    locate,
    /** Runs a command of the executable in the data folder, 15 s at most. @throws {Error} without a usable one */
    run,
    /** What it takes to start it. @throws {Error} without a usable one */
    program: async (): Promise<{ binary: string; env: NodeJS.ProcessEnv }> => ({
      binary: await path(),
      env: environment(),
    }),
  };
}
