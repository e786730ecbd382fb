import { stat } from 'node:fs/promises';
import { runCommand } from './run-command.ts';

/** The oldest core this panel works with: the first with per-user WireGuard statistics and the renamed keys. */
export const OLDEST_CORE = '26.6.27';

/** The newest core tested with this panel, for messages and downloads. */
export const TRIED_CORE = '26.7.28';

/** Reads the version from the output of `xray version`; null when it is not from a core. */
function parseVersion(output: string): string | null {
  return /^Xray (\d+\.\d+\.\d+)\b/.exec(output)?.[1] ?? null;
}

interface Known {
  mtimeMs: number;
  size: number;
  version: string | null;
}
const known = new Map<string, Known>();

/**
 * Version of an executable, cached as long as the file stays the same; null when it does not answer like a core,
 * undefined when it was killed, lacked memory or was too slow.
 * @throws {NodeJS.ErrnoException} when it does not exist or cannot be executed
 */
export async function coreVersion(binary: string, env: NodeJS.ProcessEnv): Promise<string | null | undefined> {
  const { mtimeMs, size } = await stat(binary);
  const hit = known.get(binary);
  if (hit && hit.mtimeMs === mtimeMs && hit.size === size) return hit.version;
  const { exitCode, stdout } = await runCommand(binary, ['version'], { env, timeoutMs: 5_000 });
  // A machine under load, or short of memory, may fail once.
  if (exitCode === null) return undefined;
  const version = exitCode === 0 ? parseVersion(stdout) : null;
  known.set(binary, { mtimeMs, size, version });
  return version;
}
