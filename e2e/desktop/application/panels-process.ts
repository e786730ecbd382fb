import { readdir, readFile } from 'node:fs/promises';

/** Kills the process that reads all panels, a child of the application. */
export async function killPanelsProcess(applicationPid: number): Promise<void> {
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const [status, command] = await Promise.all(
      ['status', 'cmdline'].map((file) => readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '')),
    );
    if (status!.includes(`PPid:\t${applicationPid}\n`) && command!.includes('panels-main')) {
      process.kill(Number(pid), 'SIGKILL');
      return;
    }
  }
  throw new Error('the process that reads all panels does not run');
}
