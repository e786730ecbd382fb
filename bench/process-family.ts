import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

const TICKS_PER_SECOND = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

/** The application's processes. `panels`: reads all panels. `helpers`: Chromium's zygotes and other children. */
export const PARTS = ['main', 'renderer', 'graphics', 'panels', 'helpers', 'server'] as const;
export type Part = (typeof PARTS)[number];

interface Member {
  pid: number;
  part: Part;
  /** Processor time since its start, in seconds. */
  cpuSec: number;
}

/** Memory in MiB. `pss` counts shared memory once, `rss` in each process. */
export interface Memory {
  pss: number;
  rss: number;
}

/** Processes below the application's first one, without the core and its children. */
export function family(root: number, corePid: number): Member[] {
  const all = processes();
  const found = all.filter(({ pid }) => pid === root);
  for (const each of found) found.push(...all.filter(({ pid, parent }) => parent === each.pid && pid !== corePid));
  return found.map(({ pid, cpuSec }) => ({ pid, cpuSec, part: partOf(pid, root) }));
}

export function memoryOf({ pid }: Member): Memory {
  const rollup = read(`/proc/${pid}/smaps_rollup`);
  const of = (name: string): number => Number(new RegExp(`^${name}: +(\\d+)`, 'm').exec(rollup)?.[1] ?? 0) / 1024;
  return { pss: of('Pss'), rss: of('Rss') };
}

/** Processor time of one process since its start, in seconds. */
export const cpuSecondsOf = (pid: number): number => processes().find((each) => each.pid === pid)!.cpuSec;

/** Memory of one process, shared memory included, in MiB. */
export const residentMiB = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+)/m.exec(read(`/proc/${pid}/status`))?.[1]) / 1024;

function processes(): { pid: number; parent: number; cpuSec: number }[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      // The fields after the program's name, which may contain anything.
      const fields = read(`/proc/${name}/stat`)
        .replace(/^.*\) /s, '')
        .split(' ');
      const cpuSec = (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
      return fields.length > 12 ? [{ pid: Number(name), parent: Number(fields[1]), cpuSec }] : [];
    });
}

function partOf(pid: number, root: number): Part {
  if (pid === root) return 'main';
  const command = read(`/proc/${pid}/cmdline`);
  if (command.includes('--type=renderer')) return 'renderer';
  if (command.includes('--type=gpu-process')) return 'graphics';
  if (command.includes('panels-main')) return 'panels';
  return command.includes('--window-socket') ? 'server' : 'helpers';
}

export function partSums<T extends { part: Part }>(
  members: readonly T[],
  value: (member: T) => number,
): Record<Part, number> {
  const found: Record<Part, number> = { main: 0, renderer: 0, graphics: 0, panels: 0, helpers: 0, server: 0 };
  for (const member of members) found[member.part] += value(member);
  return found;
}

export const total = (parts: Readonly<Record<string, number>>): number =>
  Object.values(parts).reduce((sum, value) => sum + value, 0);

/** Empty for a process that has ended meanwhile. */
function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
