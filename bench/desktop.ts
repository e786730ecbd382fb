import { setTimeout as delay } from 'node:timers/promises';
import { electronBinary } from '../src-server/cli/electron/electron-binary.ts';
import type { ServerStatus } from '../src-server/domains/server/contract.ts';
import { openDesktop, type Desktop, type Running } from '../e2e/desktop/application/electron.ts';
import { fetchFromPanel, useThisComputer } from '../e2e/desktop/application/steps.ts';
import { figure, percentile } from './figures.ts';
import { family, memoryOf, PARTS, partSums, total, type Memory, type Part } from './process-family.ts';

const LAUNCHES = 5;
/** Time for pages and processes to settle before they are measured. */
const SETTLE_MS = 8_000;
const WATCH_MS = 30_000;
/** 350 and 150 MB. */
const [OPEN_MIB, CLOSED_MIB] = [334, 143];

/**
 * The desktop application with its panel and an idle real core: launch to a usable window, processor and memory when
 * idle, with the window open and without one. The core is not counted: its usage depends on its traffic.
 */
export async function desktopApplication(): Promise<void> {
  if (electronBinary() === null) {
    process.stdout.write('desktop: not measured, there is no Electron (ELECTRON_BIN names one)\n');
    return;
  }
  if (process.platform !== 'linux') {
    process.stdout.write('desktop: not measured, its figures are read from /proc\n');
    return;
  }
  const desktop = await openDesktop();
  try {
    const running = await launches(desktop);
    await atRest(running);
    await running.quit();
  } finally {
    await desktop.close();
  }
}

/** @returns the last of the launches, still running. */
async function launches(desktop: Desktop): Promise<Running> {
  const first = await desktop.launch();
  await useThisComputer(first.page);
  await first.quit();
  const tookMs: number[] = [];
  for (;;) {
    const startedAtMs = performance.now();
    const running = await desktop.launch({ dataDir: first.dataDir });
    await running.page.getByRole('heading', { name: 'Overview' }).waitFor();
    await running.page.getByText('The core is running').waitFor();
    tookMs.push(performance.now() - startedAtMs);
    if (tookMs.length === LAUNCHES) {
      figure(`launch to usable window, core running: p50 of ${LAUNCHES}`, percentile(tookMs, 50), 'ms', 2_000);
      return running;
    }
    await running.quit();
  }
}

async function atRest({ app, page }: Running): Promise<void> {
  const { core } = await fetchFromPanel<ServerStatus>(page, '/panel/api/server/status');
  const root = app.process().pid!;
  const watch = (state: string): Promise<void> => processorAtRest(state, root, core.pid ?? 0);
  await watch('overview open');
  // In the first minute it still compiles and cleans up after the start.
  await watch('overview open, a while later');
  memoryAtRest('window open', root, core.pid ?? 0, OPEN_MIB);
  await page.getByRole('link', { name: 'Clients' }).click();
  await page.getByRole('heading', { name: 'Clients' }).waitFor();
  await watch('clients open');
  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.destroy());
  await watch('window closed');
  memoryAtRest('window closed', root, core.pid ?? 0, CLOSED_MIB);
}

async function processorAtRest(state: string, root: number, corePid: number): Promise<void> {
  await delay(SETTLE_MS);
  const before = new Map(family(root, corePid).map(({ pid, cpuSec }) => [pid, cpuSec]));
  const startedAtMs = performance.now();
  await delay(WATCH_MS);
  const watchedSec = (performance.now() - startedAtMs) / 1000;
  const percent = partSums(
    family(root, corePid),
    ({ pid, cpuSec }) => ((cpuSec - (before.get(pid) ?? 0)) * 100) / watchedSec,
  );
  figure(`${state}: processor at rest, % of one core`, total(percent), '%', 1);
  for (const part of PARTS) figure(`  ${part}`, percent[part], '%', null);
}

function memoryAtRest(state: string, root: number, corePid: number, targetMiB: number): void {
  const members = family(root, corePid).map((member) => ({ ...member, ...memoryOf(member) }));
  const of = (kind: keyof Memory): Record<Part, number> => partSums(members, (member) => member[kind]);
  const pss = of('pss');
  figure(`${state}: memory, shared pages counted once`, total(pss), 'MiB', targetMiB);
  for (const part of PARTS) figure(`  ${part}`, pss[part], 'MiB', null);
  figure(`${state}: memory, shared pages counted in each process`, total(of('rss')), 'MiB', null);
}
