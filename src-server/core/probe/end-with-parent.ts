import { spawn, type ChildProcess } from 'node:child_process';

/** Waits for the end of what this process would write, which comes with the end of this process, however it ends. */
const GUARD = 'read -r _; kill -9 "$1"';

/**
 * Ends a child at once when this process is gone, also by SIGKILL. On Windows every child ends so by itself.
 * @param child just started, and still running
 */
export function endWithParent(child: ChildProcess): void {
  if (process.platform === 'win32' || child.pid === undefined) return;
  const guard = spawn('/bin/sh', ['-c', GUARD, 'sh', String(child.pid)], { stdio: ['pipe', 'ignore', 'ignore'] });
  // Without one the child is what it was: its owner ends it.
  guard.on('error', () => undefined);
  guard.stdin.on('error', () => undefined);
  // Its number may be given to another process from now on. SIGKILL: it must not get as far as its second command.
  child.once('exit', () => guard.kill('SIGKILL'));
}
