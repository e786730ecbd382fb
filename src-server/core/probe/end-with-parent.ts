import { spawn, type ChildProcess } from 'node:child_process';

/** Waits for end-of-file on its input, which comes when this process ends, however it ends. */
const GUARD = 'read -r _; kill -9 "$1"';

/**
 * Kills a child as soon as this process is gone, even after SIGKILL. On Windows every child ends that way by itself.
 * @param child just started, and still running
 */
export function endWithParent(child: ChildProcess): void {
  if (process.platform === 'win32' || child.pid === undefined) return;
  const guard = spawn('/bin/sh', ['-c', GUARD, 'sh', String(child.pid)], { stdio: ['pipe', 'ignore', 'ignore'] });
  // Without the guard the child stays as it was: its owner ends it.
  guard.on('error', () => undefined);
  guard.stdin.on('error', () => undefined);
  // Its id may be reused from now on. SIGKILL: the guard must not get as far as its second command.
  child.once('exit', () => guard.kill('SIGKILL'));
}
