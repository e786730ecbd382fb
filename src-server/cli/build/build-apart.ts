import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/**
 * Runs a build in a process of its own, which says on stderr what went wrong. Bundlers keep up to 800 MiB for as long as
 * their process runs, and the process that starts a panel runs as long as the panel.
 * @param script address of the module that builds when it is run.
 */
export async function buildApart(script: string): Promise<void> {
  const child = spawn(process.execPath, [fileURLToPath(script)], { stdio: ['ignore', 'ignore', 'inherit'] });
  await once(child, 'close');
}
