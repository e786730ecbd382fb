import { execFile } from 'node:child_process';
import { readdir, readFile, readlink } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A process of this machine as its operating system describes it. */
export interface ProcessEntry {
  pid: number;
  /** Path of the executable; on macOS and Windows possibly only the first word of the command line. */
  executable: string;
  commandLine: string;
}

/** Looks up one process; null when it does not exist (or we may not see it). */
export async function describeProcess(pid: number): Promise<ProcessEntry | null> {
  if (process.platform === 'linux') return describeLinux(pid);
  if (process.platform === 'win32') return (await listWindows(`ProcessId=${pid}`)).at(0) ?? null;
  return (await listWithPs(['-p', String(pid)])).at(0) ?? null;
}

/** All processes whose command line names `path`, which must be absolute and belong to this panel alone. */
export async function processesNaming(path: string): Promise<ProcessEntry[]> {
  return (await listProcesses()).filter((entry) => entry.pid !== process.pid && entry.commandLine.includes(path));
}

async function listProcesses(): Promise<ProcessEntry[]> {
  if (process.platform === 'win32') return listWindows("Name like 'xray%'");
  if (process.platform !== 'linux') return listWithPs(['-ax']);
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const entries = await Promise.all(pids.map(describeLinux));
  return entries.filter((entry) => entry !== null);
}

async function describeLinux(pid: number): Promise<ProcessEntry | null> {
  try {
    const [link, raw, stat] = await Promise.all([
      readlink(`/proc/${pid}/exe`),
      readFile(`/proc/${pid}/cmdline`, 'utf8'),
      readFile(`/proc/${pid}/stat`, 'utf8'),
    ]);
    // A zombie is already dead; its parent has only not collected it yet.
    if (/\) [ZX] /.test(stat)) return null;
    // The kernel marks an executable that was replaced by an update.
    return { pid, executable: link.replace(/ \(deleted\)$/, ''), commandLine: raw.replaceAll('\0', ' ').trim() };
  } catch {
    return null;
  }
}

async function listWithPs(selection: readonly string[]): Promise<ProcessEntry[]> {
  const [paths, lines] = await Promise.all([
    ps([...selection, '-o', 'pid=,comm=']),
    ps([...selection, '-o', 'pid=,command=']),
  ]);
  return [...lines].map(([pid, commandLine]) => ({ pid, executable: paths.get(pid) ?? '', commandLine }));
}

async function ps(args: readonly string[]): Promise<Map<number, string>> {
  try {
    const { stdout } = await run('ps', ['-ww', ...args]);
    const rows = stdout.split('\n').flatMap((line) => {
      const match = /^\s*(\d+)\s+(.*)$/.exec(line);
      return match ? [[Number(match[1]), match[2] ?? ''] as const] : [];
    });
    return new Map(rows);
  } catch {
    // ps exits with 1 when nothing matches.
    return new Map();
  }
}

async function listWindows(filter: string): Promise<ProcessEntry[]> {
  const script = `Get-CimInstance Win32_Process -Filter "${filter}" | Select-Object ProcessId,ExecutablePath,CommandLine | ConvertTo-Json -Compress`;
  try {
    const { stdout } = await run('powershell.exe', ['-NoProfile', '-NonInteractive', '-Command', script], {
      windowsHide: true,
    });
    if (stdout.trim() === '') return [];
    const parsed: unknown = JSON.parse(stdout);
    return (Array.isArray(parsed) ? parsed : [parsed]).map((row: Record<string, unknown>) => ({
      pid: Number(row.ProcessId),
      executable: typeof row.ExecutablePath === 'string' ? row.ExecutablePath : '',
      commandLine: typeof row.CommandLine === 'string' ? row.CommandLine : '',
    }));
  } catch {
    return [];
  }
}
