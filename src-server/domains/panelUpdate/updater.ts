import { spawn } from 'node:child_process';

export interface UpdateRun {
  runId: string;
  channel: 'stable' | 'dev';
  /** Version to update to; empty when it is not known. */
  targetVersion: string;
  /** Where the result is written, as JSON with `runId`, `state`, `exitCode` and `finishedAt`. */
  statusFile: string;
}

/**
 * Replaces this panel's program: the desktop application's own updater, or a command of the package it was installed
 * from. Development runs and unpacked archives have none.
 */
export interface Updater {
  /** @returns the process that does the work, if it is a separate one. @throws {Error} when nothing was started */
  start(run: UpdateRun): Promise<{ pid: number | null }>;
}

/**
 * Runs the command of a package in a separate process, because this one ends meanwhile. Its input is the environment.
 */
export function commandUpdater(command: string, env: NodeJS.ProcessEnv): Updater {
  return {
    start: ({ runId, channel, targetVersion, statusFile }) =>
      new Promise((resolve, reject) => {
        const child = spawn(command, [], {
          detached: true,
          stdio: 'ignore',
          windowsHide: true,
          env: {
            ...env,
            PANEL_UPDATE_RUN_ID: runId,
            PANEL_UPDATE_CHANNEL: channel,
            PANEL_UPDATE_VERSION: targetVersion,
            PANEL_UPDATE_STATUS_FILE: statusFile,
          },
        });
        child.once('error', reject);
        child.once('spawn', () => {
          child.unref();
          resolve({ pid: child.pid ?? null });
        });
      }),
  };
}
