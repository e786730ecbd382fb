import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { panelEnv, WINDOW_PANEL_EXEC_ARGV } from '../../src-server/cli/launch/panel-memory.ts';
import type { FromServer, ServerRuntime, ToServer } from './server-runtime.ts';

/**
 * Runs the panel under a Node beside Electron: for development, where the project's Node is at hand.
 * @param node executable @param entry script of the panel
 */
export function externalNode<From = FromServer, To = ToServer>(node: string, entry: string): ServerRuntime<From, To> {
  return {
    start(args, hooks) {
      const child = spawn(node, [...WINDOW_PANEL_EXEC_ARGV, entry, ...args], {
        stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
        env: panelEnv(),
      });
      child.on('message', (message) => hooks.onMessage(message as From));
      for (const stream of [child.stdout!, child.stderr!])
        createInterface({ input: stream }).on('line', (line) => hooks.onLine(line));
      let hasEnded = false;
      const end = (code: number | null): void => {
        if (hasEnded) return;
        hasEnded = true;
        hooks.onExit(code);
      };
      child.once('error', (error) => {
        hooks.onLine(error.message);
        end(null);
      });
      // "close" comes after the last line of output.
      child.once('close', (code) => end(code));
      return {
        send: (message) => {
          if (child.connected) child.send(message as object);
        },
        kill: () => child.kill('SIGKILL'),
      };
    },
  };
}
