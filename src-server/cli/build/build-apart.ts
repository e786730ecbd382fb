import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/**
 * Runs a build in its own process, which reports errors on stderr. Bundlers hold up to 800 MiB as long as their process
 * runs, and the process that starts a panel runs as long as the panel.
 * @param script URL of the module that builds when run.
 */
export async function buildApart(script: string): Promise<void> {
  const child = spawn(process.execPath, [fileURLToPath(script)], { stdio: ['ignore', 'ignore', 'inherit'] });
  await once(child, 'close');
}
