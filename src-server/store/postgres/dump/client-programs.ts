import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { DomainError } from '../../../contract/domain-error.ts';

/** A program of PostgreSQL's client package. */
export interface ClientProgram {
  path: string;
  /** PostgreSQL's major version, for example 15. */
  major: number;
}

const execute = promisify(execFile);

/** Where Debian and Ubuntu put each version, in a separate folder. */
const INSTALLED = '/usr/lib/postgresql';

/** Programs installed under this name, on PATH and where Debian puts them, the oldest version first. */
export async function clientPrograms(
  name: 'pg_dump' | 'pg_restore',
  installed: string = INSTALLED,
): Promise<ClientProgram[]> {
  const versions = await readdir(installed).catch(() => []);
  const folders = [
    ...(process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== ''),
    ...versions.map((version) => join(installed, version, 'bin')),
  ];
  const file = process.platform === 'win32' ? `${name}.exe` : name;
  const found = await Promise.all(folders.map((folder) => programAt(join(folder, file))));
  return found.filter((program) => program !== null).sort((a, b) => a.major - b.major);
}

async function programAt(path: string): Promise<ClientProgram | null> {
  try {
    const { stdout } = await execute(path, ['--version'], { timeout: 10_000, windowsHide: true });
    const major = Number(/\(PostgreSQL\) (\d+)/.exec(stdout)?.[1]);
    return Number.isInteger(major) ? { path, major } : null;
  } catch {
    return null;
  }
}

/**
 * The `pg_dump` for a server: of the same version, else the next newer one installed; an older one refuses the server.
 * @param programs the oldest first
 * @throws {DomainError} `store.dumpProgramMissing`, `store.dumpProgramOld`
 */
export function fittingProgram(programs: readonly ClientProgram[], serverMajor: number): ClientProgram {
  const fitting = programs.find(({ major }) => major >= serverMajor);
  if (fitting !== undefined) return fitting;
  const newest = programs.at(-1);
  if (newest === undefined) throw new DomainError('store.dumpProgramMissing', { needed: serverMajor });
  throw new DomainError('store.dumpProgramOld', { needed: serverMajor, found: newest.major });
}

/** The error text of such a program, without its name before each line. */
export const complaintOf = (stderr: string): string =>
  stderr
    .split('\n')
    .flatMap((line) => /^pg_\w+: (?:error|fatal): (.*)$/.exec(line)?.[1] ?? [])
    .join('; ');
