import { execFile } from 'node:child_process';
import { readdir, readFile, readlink } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A process of this machine as its operating system describes it. */
export interface ProcessEntry {
  pid: number;
  /**
   * Path of the executable; empty when the system does not show it, on macOS and Windows possibly only the first word of
   * the command line.
   */
  executable: string;
  commandLine: string;
  /** The config that it was started with, if it is a core (`run -c CONFIG`); else empty. */
  config: string;
}

/** Looks up one process; null when it does not exist, we may not see it, or it belongs to a container. */
export async function describeProcess(pid: number): Promise<ProcessEntry | null> {
  if (process.platform === 'linux') return describeLinux(pid);
  if (process.platform === 'win32') return (await listWindows(`ProcessId=${pid}`)).at(0) ?? null;
  return (await listWithPs(['-p', String(pid)])).at(0) ?? null;
}

/** All cores on this machine, also those that this panel did not start. */
export async function runningCores(): Promise<ProcessEntry[]> {
  return (await listProcesses()).filter(({ config }) => config !== '');
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
    const [link, raw, status] = await Promise.all([
      readlink(`/proc/${pid}/exe`).catch(unlessHidden),
      readFile(`/proc/${pid}/cmdline`, 'utf8'),
      readFile(`/proc/${pid}/status`, 'utf8'),
    ]);
    // A zombie is already dead; its parent has only not collected it yet.
    if (/^State:\s+[ZX]/m.test(status)) return null;
    // One in a container has further ids; its paths are those of another file system.
    if (/^NSpid:\t\d+\t/m.test(status)) return null;
    return {
      pid,
      // The kernel marks an executable that was replaced by an update.
      executable: link.replace(/ \(deleted\)$/, ''),
      commandLine: raw.replaceAll('\0', ' ').trim(),
      config: /^[^\0]+\0run\0-c\0([^\0]+)\0$/.exec(raw)?.[1] ?? '',
    };
  } catch {
    return null;
  }
}

/** The system hides the executable of a core with capabilities of its own (`setcap`) from users other than root. */
function unlessHidden(error: NodeJS.ErrnoException): string {
  if (error.code === 'EACCES' || error.code === 'EPERM') return '';
  throw error;
}

const configIn = (commandLine: string): string => / run -c (.+)$/.exec(commandLine.replaceAll('"', ''))?.[1] ?? '';

async function listWithPs(selection: readonly string[]): Promise<ProcessEntry[]> {
  const [paths, lines] = await Promise.all([
    ps([...selection, '-o', 'pid=,comm=']),
    ps([...selection, '-o', 'pid=,command=']),
  ]);
  return [...lines].map(([pid, commandLine]) => ({
    pid,
    executable: paths.get(pid) ?? '',
    commandLine,
    config: configIn(commandLine),
  }));
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
    return (Array.isArray(parsed) ? parsed : [parsed]).map((row: Record<string, unknown>) => {
      const commandLine = typeof row.CommandLine === 'string' ? row.CommandLine : '';
      return {
        pid: Number(row.ProcessId),
        executable: typeof row.ExecutablePath === 'string' ? row.ExecutablePath : '',
        commandLine,
        config: configIn(commandLine),
      };
    });
  } catch {
    return [];
  }
}
