import type { ProcessEntry } from './process-table.ts';
import { describeProcess } from './process-table.ts';

const POLITE_MS = 5_000;
const FIRM_MS = 2_000;
const POLL_MS = 20;

/**
 * Ends a process that is not our child: SIGTERM, 5 s, SIGKILL, 2 s. Resolves to true once it is gone, or once its id
 * belongs to another program; false when it could not be ended.
 */
export async function endForeignProcess(entry: ProcessEntry): Promise<boolean> {
  for (const [signal, waitMs] of [
    ['SIGTERM', POLITE_MS],
    ['SIGKILL', FIRM_MS],
  ] as const) {
    try {
      process.kill(entry.pid, signal);
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ESRCH') return true;
      return false;
    }
    if (await isGoneWithin(entry, waitMs)) return true;
  }
  return false;
}

async function isGoneWithin(entry: ProcessEntry, waitMs: number): Promise<boolean> {
  const until = performance.now() + waitMs;
  do {
    const now = await describeProcess(entry.pid);
    if (now === null || now.commandLine !== entry.commandLine) return true;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  } while (performance.now() < until);
  return false;
}
