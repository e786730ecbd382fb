import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/** Runs a system program and returns its output. @throws when it fails or takes longer than 5 s */
export type RunProgram = (program: string, args: readonly string[]) => Promise<string>;

export const runProgram: RunProgram = async (program, args) => {
  const { stdout } = await execute(program, args, { timeout: 5_000, windowsHide: true, maxBuffer: 64 * 1024 * 1024 });
  return stdout;
};

/** Caches a value for a while: for probes that start a process and whose value changes slowly. */
export function atMostEvery<T>(
  intervalMs: number,
  monotonicMs: () => number,
  read: () => Promise<T>,
): () => Promise<T> {
  let kept: { value: T; readAtMs: number } | null = null;
  return async () => {
    const nowMs = monotonicMs();
    if (kept === null || nowMs - kept.readAtMs >= intervalMs) kept = { value: await read(), readAtMs: nowMs };
    return kept.value;
  };
}
