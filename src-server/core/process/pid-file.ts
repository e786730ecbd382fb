import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';

/** What is known about a core process after its panel is gone. */
export interface PidRecord {
  pid: number;
  /** Identity of the process's counters. */
  bootId: string;
  /** `api.listen` of its config. */
  apiListen: string;
  /** Absolute path of its executable. */
  binary: string;
  startedAtMs: number;
}

/** Null when there is no file or it cannot be parsed (then the process is found by its config path). */
export function readPidFile(path: string): PidRecord | null {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    return isPidRecord(value) ? value : null;
  } catch {
    return null;
  }
}

/** Synchronous on purpose: the record must exist before anything else can happen to the panel. */
export function writePidFile(path: string, record: PidRecord): void {
  const temp = `${path}.tmp`;
  writeFileSync(temp, `${JSON.stringify(record)}\n`, { mode: 0o600 });
  renameSync(temp, path);
}

/** On a disk that became read-only it stays: it names a process that is gone, as the next start sees. */
export function removePidFile(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // Nothing depends on it.
  }
}

function isPidRecord(value: unknown): value is PidRecord {
  if (typeof value !== 'object' || value === null) return false;
  const record = value as Record<string, unknown>;
  return (
    Number.isSafeInteger(record.pid) &&
    Number(record.pid) > 1 &&
    typeof record.bootId === 'string' &&
    typeof record.apiListen === 'string' &&
    typeof record.binary === 'string' &&
    typeof record.startedAtMs === 'number'
  );
}
