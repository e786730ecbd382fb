import { randomBytes } from 'node:crypto';
import type { Server } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from 'playwright';
import { openDesktop, type Desktop, type Running } from '../../e2e/desktop/application/electron.ts';
import { fetchFromPanel, useThisComputer } from '../../e2e/desktop/application/steps.ts';
import { waitFor } from '../../e2e/harness/wait-for.ts';
import { electronBinary } from '../../src-server/cli/electron/electron-binary.ts';
import type { ServerStatus } from '../../src-server/domains/server/contract.ts';
import { figure, percentile } from '../figures.ts';
import { family, memoryOf, PARTS, partSums, total } from '../process-family.ts';
import { addressOf, CLIENTS, closePeers, openPeers } from './peers.ts';

const STARTS = 5;
const READ_LIMIT_MS = 300_000;
/** By then the start is over, with its compilation and garbage collected. */
const SETTLE_MS = 30_000;
const WATCH_MS = 60_000;
const PAINT_LIMIT_MS = 30_000;

/**
 * The application with 20 saved panels and 200,000 clients in its store: from the start to the painted cards from the
 * store, and the usage of all its processes while the page of all panels is open. This computer's panel runs too, shown
 * apart.
 */
export async function panelsInWindow(): Promise<void> {
  if (electronBinary() === null) {
    process.stdout.write('all panels in the window: not measured, there is no Electron (ELECTRON_BIN names one)\n');
    return;
  }
  const [peers, desktop] = await Promise.all([openPeers(), openDesktop()]);
  // Readings have to outlive the application.
  const env = { TEST_KEY_STORE: randomBytes(32).toString('hex') };
  try {
    const dataDir = await fill(desktop, peers, env);
    const running = await starts(desktop, dataDir, env);
    await atRest(running);
    await running.quit();
  } finally {
    await desktop.close();
    closePeers(peers);
  }
}

/** Saves the panels, and waits until everything was read once. @returns the data folder */
async function fill(desktop: Desktop, peers: readonly Server[], env: Record<string, string>): Promise<string> {
  const { page, quit, dataDir } = await desktop.launch({ env });
  await useThisComputer(page);
  await page.evaluate(
    async (drafts) => {
      const { connections, panels } = globalThis.desktop;
      for (const draft of drafts) await connections.save(draft);
      const { choices } = await panels.show(false);
      await panels.setChoices({ ...choices, isFirstPage: true });
    },
    peers.map((server, index) => ({
      name: `Panel ${index}`,
      address: addressOf(server),
      color: 'teal' as const,
      signIn: 'token' as const,
      trust: { mode: 'verify' as const },
      token: 'x',
    })),
  );
  await page.goto('app://panel/desktop/home');
  await waitFor('all clients', () => isWhole(page), READ_LIMIT_MS, 1_000);
  await quit();
  return dataDir;
}

const isWhole = (page: Page): Promise<boolean> =>
  page.evaluate(async (clients) => {
    const { connections, panels } = globalThis.desktop;
    const others = (await connections.list()).filter(({ id }) => id !== 'local');
    const kept = await Promise.all(others.map(({ id }) => panels.inventory(id)));
    return kept.every(({ clientCount }) => clientCount === clients);
  }, CLIENTS);

/** @returns the last of the starts, still running */
async function starts(desktop: Desktop, dataDir: string, env: Record<string, string>): Promise<Running> {
  const tookMs: number[] = [];
  const tookCpuSec: number[] = [];
  for (;;) {
    const startedAtMs = performance.now();
    const running = await desktop.launch({ dataDir, env });
    await running.page.waitForFunction(
      (clients) =>
        [...document.querySelectorAll('article')].filter(({ textContent }) => textContent.includes(clients)).length ===
        20,
      CLIENTS.toLocaleString('en'),
      { timeout: PAINT_LIMIT_MS },
    );
    tookMs.push(performance.now() - startedAtMs);
    const { server: _server, ...parts } = partSums(family(running.app.process().pid!, 0), ({ cpuSec }) => cpuSec);
    tookCpuSec.push(total(parts));
    if (tookMs.length === STARTS) {
      figure(`all panels: start to all cards out of the store: p50 of ${STARTS}`, percentile(tookMs, 50), 'ms', 1_500);
      figure(
        '  … processor time of all processes until then, without the panel',
        percentile(tookCpuSec, 50),
        's',
        null,
      );
      figure('  … the longest', Math.max(...tookMs), 'ms', null);
      return running;
    }
    await running.quit();
  }
}

async function atRest({ app, page }: Running): Promise<void> {
  const { core } = await fetchFromPanel<ServerStatus>(page, '/panel/api/server/status');
  const root = app.process().pid!;
  const corePid = core.pid ?? 0;
  await delay(SETTLE_MS);
  for (const round of ['', ', a minute later']) {
    const before = new Map(family(root, corePid).map(({ pid, cpuSec }) => [pid, cpuSec]));
    const startedAtMs = performance.now();
    await delay(WATCH_MS);
    const watchedSec = (performance.now() - startedAtMs) / 1_000;
    const { server, ...parts } = partSums(
      family(root, corePid),
      ({ pid, cpuSec }) => ((cpuSec - (before.get(pid) ?? 0)) * 100) / watchedSec,
    );
    figure(`all panels: all processes at rest${round}, % of one core`, total(parts), '%', 3);
    for (const part of PARTS) if (part !== 'server') figure(`  ${part}`, parts[part], '%', null);
    figure('  … and the panel of this computer, not counted', server, '%', null);
  }
  const members = family(root, corePid).map((member) => ({ ...member, ...memoryOf(member) }));
  const { server, ...parts } = partSums(members, ({ pss }) => pss);
  figure('all panels: memory of all processes, shared pages once', total(parts), 'MiB', 450);
  for (const part of PARTS) if (part !== 'server') figure(`  ${part}`, parts[part], 'MiB', null);
  figure('  … and the panel of this computer, not counted', server, 'MiB', null);
}
