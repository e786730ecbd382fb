import { createInterface } from 'node:readline';
import { utilityProcess } from 'electron';
import { panelEnv, WINDOW_PANEL_EXEC_ARGV } from '../../src-server/cli/launch/panel-memory.ts';
import type { FromServer, ServerRuntime, ToServer } from './server-runtime.ts';

/**
 * Runs the panel in a utility process of Electron, which works with the `runAsNode` fuse off.
 * @param entry script of the panel, or of another process of ours @param serviceName its name in the system
 */
export function utilityRuntime<From = FromServer, To = ToServer>(
  entry: string,
  serviceName = 'Switchyard panel',
): ServerRuntime<From, To> {
  return {
    start(args, hooks) {
      const child = utilityProcess.fork(entry, [...args], {
        stdio: 'pipe',
        serviceName,
        execArgv: [...WINDOW_PANEL_EXEC_ARGV],
        env: panelEnv(),
      });
      child.on('message', (message: From) => hooks.onMessage(message));
      for (const stream of [child.stdout, child.stderr])
        if (stream !== null) createInterface({ input: stream }).on('line', (line) => hooks.onLine(line));
      // After a signal it reports the signal's number or a platform code; none of them is one of our exit codes.
      child.once('exit', (code) => hooks.onExit(code));
      return {
        send: (message) => child.postMessage(message),
        kill() {
          // `child.kill()` sends SIGTERM; this process ignored it.
          if (child.pid !== undefined) process.kill(child.pid, 'SIGKILL');
        },
      };
    },
  };
}
