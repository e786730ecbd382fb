import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { createInterface } from 'node:readline/promises';
import { electronInstaller } from './electron-binary.ts';
import { toArguments, type ServerFlags } from '../flags.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/**
 * Runs the desktop application from this folder until it quits. Its panel runs under this same Node.
 * @param binary Electron @param entry script of the panel
 * @returns the exit code
 */
export function runWindow(binary: string, entry: string, flags: ServerFlags): Promise<number> {
  // Chromium has no sandbox for the superuser and refuses to start unless told to.
  const forRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return run(binary, [...forRoot, ROOT, ...toArguments(flags)], {
    ...process.env,
    PANEL_NODE: process.execPath,
    PANEL_ENTRY: entry,
  });
}

/** Asks at a terminal whether to fetch Electron, and if so fetches it with progress shown. */
export async function offerElectron(): Promise<void> {
  const installer = electronInstaller();
  if (installer === null || !process.stdin.isTTY || !process.stdout.isTTY) return;
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const reply = await terminal.question('Fetch Electron (about 120 MB) to open the panel in a window? [y/N] ');
  terminal.close();
  if (/^y(es)?$/i.test(reply.trim())) await run(process.execPath, [installer], process.env);
}

function run(command: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: ROOT, env, stdio: 'inherit' });
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill('SIGTERM'));
    child.once('error', (error) => {
      process.stderr.write(`${command} cannot be started: ${error.message}\n`);
      resolve(127);
    });
    child.once('close', (code) => resolve(code ?? 1));
  });
}
