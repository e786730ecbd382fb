import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const KEPT = 10;
const NAME = /^core_crash_\d+\.log$/;

/** Keeps the output of a crash as `core_crash_<nanoseconds>.log`, the newest ten. Returns the path. */
export async function saveCrash(logDir: string, text: string, nowMs: number): Promise<string> {
  await mkdir(logDir, { recursive: true });
  const path = join(logDir, `core_crash_${nowMs}${String(process.hrtime.bigint() % 1_000_000n).padStart(6, '0')}.log`);
  await writeFile(path, `${text}\n`, { mode: 0o600 });
  const older = (await readdir(logDir)).filter((name) => NAME.test(name)).sort();
  for (const name of older.slice(0, -KEPT)) await rm(join(logDir, name), { force: true });
  return path;
}
