import { createInterface } from 'node:readline';
import { utilityProcess } from 'electron';
import { panelEnv, WINDOW_PANEL_EXEC_ARGV } from '../../src-server/cli/panel-memory.ts';
import type { FromServer, ServerRuntime } from './server-runtime.ts';

/**
 * Runs the panel in a utility process of Electron, which works with the `runAsNode` fuse off.
 * @param entry script of the panel
 */
export function utilityRuntime(entry: string): ServerRuntime {
  return {
    start(args, hooks) {
      const child = utilityProcess.fork(entry, [...args], {
        stdio: 'pipe',
        serviceName: 'Switchyard panel',
        execArgv: [...WINDOW_PANEL_EXEC_ARGV],
        env: panelEnv(),
      });
      child.on('message', (message: FromServer) => hooks.onMessage(message));
      for (const stream of [child.stdout, child.stderr])
        if (stream !== null) createInterface({ input: stream }).on('line', (line) => hooks.onLine(line));
      // Ended by a signal it reports the signal's number or a platform code; none of them is one of ours.
      child.once('exit', (code) => hooks.onExit(code));
      return {
        send: (message) => child.postMessage(message),
        kill() {
          // `child.kill()` asks politely; this one did not listen.
          if (child.pid !== undefined) process.kill(child.pid, 'SIGKILL');
        },
      };
    },
  };
}
