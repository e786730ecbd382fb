import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const MEMORY = '/dev/shm';
/** Every test has a data folder or a database of its own, of some 8 MB. */
const ENOUGH_BYTES = 4e9;

/** Folder for test data in memory, where commits need not wait for a disk; undefined where there is no such place. */
export function memoryFolder(): string | undefined {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize > ENOUGH_BYTES && runsPrograms(MEMORY) ? MEMORY : undefined;
  } catch {
    return undefined;
  }
}

/** Tests put programs into their folders; containers often forbid running any from there. */
function runsPrograms(folder: string): boolean {
  const own = mkdtempSync(join(folder, 'switchyard-test-'));
  const program = join(own, 'program');
  try {
    writeFileSync(program, '#!/bin/sh\n');
    chmodSync(program, 0o700);
    execFileSync(program);
    return true;
  } catch {
    return false;
  } finally {
    rmSync(own, { recursive: true });
  }
}
