import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import type { ServerStatus } from '../../src-server/domains/server/contract.ts';
import { openDesktop } from './electron.ts';
import { ask, useThisComputer } from './steps.ts';

/**
 * Figures of the desktop application on this machine, with the Electron that ELECTRON_BIN names: time from the start to a
 * usable window, processor and memory at rest with the window open and without one. Run by hand; prints one line of JSON.
 */
const IDLE_MS = 30_000;
const TICKS_PER_SECOND = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

interface Process {
  pid: number;
  parent: number;
  /** Processor time, in seconds. */
  cpuSec: number;
}

function processes(): Process[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const fields = readFileSync(`/proc/${name}/stat`, 'utf8')
          .replace(/^.*\) /, '')
          .split(' ');
        const cpuSec = (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
        return [{ pid: Number(name), parent: Number(fields[1]), cpuSec }];
      } catch {
        // Ended meanwhile.
        return [];
      }
    });
}

/** A process and everything below it. */
function family(pid: number): Process[] {
  const all = processes();
  const found = all.filter((each) => each.pid === pid);
  for (const each of found) found.push(...all.filter(({ parent }) => parent === each.pid));
  return found;
}

/** Memory in MiB by part, with what processes share counted once. `helpers`: graphics, network, zygotes. */
function memoryMiB(members: readonly Process[], root: number): Record<string, number> {
  const parts: Record<string, number> = { main: 0, renderer: 0, server: 0, helpers: 0 };
  for (const { pid } of members) parts[partOf(pid, root)]! += pssMiB(pid);
  return Object.fromEntries(Object.entries(parts).map(([part, value]) => [part, Math.round(value)]));
}

function partOf(pid: number, root: number): string {
  if (pid === root) return 'main';
  try {
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    if (command.includes('--type=renderer')) return 'renderer';
    return command.includes('--window-socket') ? 'server' : 'helpers';
  } catch {
    return 'helpers';
  }
}

function pssMiB(pid: number): number {
  try {
    return Number(/^Pss: +(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    // Ended meanwhile.
    return 0;
  }
}

/** At rest: percent of one core over half a minute, and memory. The core of the proxy is not counted. */
async function atRest(root: number, corePid: number): Promise<{ cpuPercent: number; memoryMiB: object }> {
  await pause(5_000);
  const own = (): Process[] => family(root).filter(({ pid }) => pid !== corePid);
  const before = new Map(own().map(({ pid, cpuSec }) => [pid, cpuSec]));
  await pause(IDLE_MS);
  const after = own();
  const usedSec = after.reduce((sum, { pid, cpuSec }) => sum + cpuSec - (before.get(pid) ?? 0), 0);
  return { cpuPercent: Number(((usedSec * 100_000) / IDLE_MS).toFixed(1)), memoryMiB: memoryMiB(after, root) };
}

const desktop = await openDesktop();
try {
  const first = await desktop.launch();
  await useThisComputer(first.page);
  await first.quit();
  const launchesMs: number[] = [];
  for (let run = 0; run < 3; run += 1) {
    const startedAtMs = performance.now();
    const running = await desktop.launch({ dataDir: first.dataDir });
    await running.page.getByRole('heading', { name: 'Overview' }).waitFor();
    await running.page.getByText('The core is running').waitFor();
    launchesMs.push(Math.round(performance.now() - startedAtMs));
    if (run < 2) {
      await running.quit();
      continue;
    }
    const status = await ask<ServerStatus>(running.page, '/panel/api/server/status');
    const root = running.app.process().pid!;
    const open = await atRest(root, status.core.pid ?? 0);
    await running.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.destroy());
    const light = await atRest(root, status.core.pid ?? 0);
    const { length: cores } = cpus();
    process.stdout.write(`${JSON.stringify({ cores, launchesMs, open, light })}\n`);
    await running.quit();
  }
} finally {
  await desktop.close();
}
