import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { GIVE_UP_EXIT_CODE, RESTART_EXIT_CODE, USAGE_EXIT_CODE } from '../launch/exit-codes.ts';
import { parseReadyLine, type ReadyLine } from '../launch/ready-line.ts';
import { restartDelayMs } from '../launch/restart-delay.ts';
import { STOP_MESSAGE } from '../launch/stop-request.ts';

/** After a run this long, an earlier crash no longer counts. */
const STEADY_RUN_MS = 60_000;

export interface LauncherOptions {
  command: string;
  /** Arguments of the next run. @param ready what the last run said when it was ready; null before that. */
  argsFor: (ready: ReadyLine | null) => readonly string[];
  /** Environment of the panel. */
  env: NodeJS.ProcessEnv;
  /** Takes the panel's first ready line, and nothing else. */
  writeReady: (line: string) => void;
  /** Takes later ready lines, and all other output of panel and launcher. */
  say: (line: string) => void;
  clock: () => number;
  random: () => number;
  /** How long a stop may take before the panel is killed. */
  stopGraceMs: number;
  /** Whether the core of a panel that is gone still runs. */
  isCoreLeft: () => Promise<boolean>;
}

/**
 * Keeps one panel process running: starts it again at once when it asks for that, after a growing delay when it
 * crashes, and not at all when it exited with 0 or reports that starting again is no use.
 */
export function startLauncher(options: LauncherOptions) {
  const { say, clock } = options;
  let child: ChildProcess | null = null;
  let isStopping = false;
  let lastReady: ReadyLine | null = null;
  let wake: (() => void) | null = null;
  /** The panel runs once more, to count and end an orphaned core. */
  let isEndingCore = false;

  function requestStop(running: ChildProcess): void {
    if (process.platform === 'win32') running.send(STOP_MESSAGE);
    else running.kill('SIGTERM');
    endAfter(running, options.stopGraceMs);
  }

  function endAfter(running: ChildProcess, ms: number): void {
    const timer = setTimeout(() => {
      say('The panel did not stop in time and is ended.');
      running.kill('SIGKILL');
    }, ms);
    running.once('close', () => clearTimeout(timer));
  }

  /** One run of the panel. @returns its exit code, null when a signal ended it. */
  function run(): Promise<{ code: number | null; wasReady: boolean; why: string }> {
    return new Promise((resolve) => {
      let wasReady = false;
      const running = spawn(options.command, options.argsFor(lastReady), {
        stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
        env: options.env,
      });
      child = running;
      createInterface({ input: running.stdout! }).on('line', (line) => {
        const ready = parseReadyLine(line);
        if (ready === null) return say(line);
        wasReady = true;
        if (isEndingCore) requestStop(running);
        if (lastReady === null && !isStopping) options.writeReady(line);
        else say(line);
        lastReady = ready;
      });
      running.once('error', (error) => resolve({ code: null, wasReady, why: error.message }));
      if (isEndingCore) endAfter(running, options.stopGraceMs);
      // "close" comes after the last line of output.
      running.once('close', (code, signal) => resolve({ code, wasReady, why: signal ?? `code ${code}` }));
    });
  }

  /**
   * A core outlives a killed panel, so that nothing it counted is lost. If no other panel follows, one more run reads
   * its final counters and ends it.
   */
  async function endCoreLeft(): Promise<void> {
    if (!(await options.isCoreLeft())) return;
    say('The core of the panel still runs; its counters are read and it is ended.');
    isEndingCore = true;
    await run();
  }

  async function keepRunning(): Promise<number> {
    const code = await keepStarting();
    if (isStopping) await endCoreLeft();
    return code;
  }

  async function keepStarting(): Promise<number> {
    let crashes = 0;
    for (;;) {
      const startedAtMs = clock();
      const { code, wasReady, why } = await run();
      child = null;
      if (code === 0 || code === GIVE_UP_EXIT_CODE || code === USAGE_EXIT_CODE) return code;
      // Ended by our own SIGTERM before it handled signals: stopped as requested.
      if (isStopping) return code === RESTART_EXIT_CODE || why === 'SIGTERM' ? 0 : (code ?? 1);
      // A panel that asks again before it ever answered would spin.
      if (code === RESTART_EXIT_CODE && wasReady) {
        crashes = 0;
        say('The panel restarts.');
        continue;
      }
      crashes = clock() - startedAtMs >= STEADY_RUN_MS ? 1 : crashes + 1;
      const delayMs = restartDelayMs(crashes, wasReady, options.random());
      say(`The panel ended unexpectedly (${why}); it starts again in ${(delayMs / 1000).toFixed(1)} s.`);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, delayMs);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      wake = null;
      if (isStopping) return 0;
    }
  }

  return {
    /** Resolves when everything has ended, with the exit code for the launcher itself. */
    done: keepRunning(),
    /** Asks the panel to stop; it is not started again. */
    stop(): void {
      if (isStopping) return;
      isStopping = true;
      wake?.();
      if (child !== null) requestStop(child);
    },
  };
}
export type Launcher = ReturnType<typeof startLauncher>;
