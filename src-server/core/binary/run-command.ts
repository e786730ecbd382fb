import { execFile } from 'node:child_process';

export interface CommandResult {
  /**
   * Exit code; null when a signal ended the process, for instance ours after the time limit, or when the system gave it
   * no memory or no thread.
   */
  exitCode: number | null;
  stdout: string;
  stderr: string;
  timedOut: boolean;
}

export interface CommandOptions {
  env: NodeJS.ProcessEnv;
  /** Time limit in ms; default 15 s. */
  timeoutMs?: number;
  cwd?: string;
  /** Written to standard input. */
  input?: string;
}

const OUTPUT_LIMIT = 16 * 1024 * 1024;
/** With this code the runtime of the core ends both after a panic and when it lacks memory or threads. */
const RUNTIME_FAILURE = 2;
const STARVED =
  /^(?:runtime: (?:out of memory|cannot allocate memory|failed to create new OS thread)|fatal error: (?:failed to reserve|out of memory|newosproc))/m;

/**
 * Runs the core's executable to its end, without a shell. A failing exit code is a result, not an error.
 * @throws {NodeJS.ErrnoException} when it cannot be started at all (ENOENT, EACCES, ENOEXEC)
 */
export function runCommand(binary: string, args: readonly string[], options: CommandOptions): Promise<CommandResult> {
  const { env, timeoutMs = 15_000, cwd, input } = options;
  return new Promise((resolve, reject) => {
    const child = execFile(
      binary,
      args,
      {
        env,
        timeout: timeoutMs,
        killSignal: 'SIGKILL',
        maxBuffer: OUTPUT_LIMIT,
        windowsHide: true,
        ...(cwd === undefined ? {} : { cwd }),
      },
      (error, stdout, stderr) => {
        if (error && typeof error.code === 'string' && child.pid === undefined) {
          reject(error);
          return;
        }
        const isStarved = child.exitCode === RUNTIME_FAILURE && STARVED.test(stderr);
        resolve({ exitCode: isStarved ? null : child.exitCode, stdout, stderr, timedOut: error?.killed === true });
      },
    );
    if (input !== undefined) child.stdin?.end(input);
  });
}
