import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { waitFor } from '../../e2e/harness/wait-for.ts';
import { SavedConnection } from '../../src-main/connections/connection.ts';
import type { FromPanels, PanelTarget, ToPanels } from '../../src-main/panels/messages.ts';
import { createPanelsHost, type PanelsHost } from '../../src-main/panels/panels-host.ts';
import { externalNode } from '../../src-main/supervisor/external-node.ts';
import { figure, percentile } from '../figures.ts';
import { cpuSecondsOf, family, memoryOf } from '../process-family.ts';
import { addressOf, CLIENTS, closePeers, openPeers, PANELS } from './peers.ts';
import { panelsInWindow } from './window.ts';

const WATCH_MS = 30_000;
const SEARCHES = 40;
const READ_LIMIT_MS = 300_000;

/** All panels in one window: 20 of them, 200,000 clients. */
export async function allPanels(): Promise<void> {
  if (process.platform !== 'linux') {
    process.stdout.write('all panels: not measured, its figures are read from /proc\n');
    return;
  }
  await readingProcess();
  await panelsInWindow();
}

/** The process that reads them, measured alone. */
async function readingProcess(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'switchyard-panels-'));
  const peers = await openPeers();
  const key = randomBytes(32).toString('base64');
  const targets = peers.map((server, index): PanelTarget => ({
    kind: 'remote',
    saved: SavedConnection.parse({
      id: `p${index}`,
      name: `p${index}`,
      color: 'blue',
      address: addressOf(server),
      signIn: 'token',
      trust: { mode: 'verify' },
      lastUsedAtMs: 0,
    }),
    secrets: { token: 'x' },
  }));
  const open = (): PanelsHost =>
    createPanelsHost({
      runtime: externalNode<FromPanels, ToPanels>(
        process.execPath,
        join(import.meta.dirname, '../../src-main/panels/panels-main.ts'),
      ),
      file: join(folder, 'panels.db'),
      key: async () => ({ key, isKept: true }),
      targets: async () => targets,
      onCards: () => undefined,
    });
  const isWhole = (host: PanelsHost) => async (): Promise<boolean> =>
    (await host.request('search', `client-1.p${PANELS - 1}@example.org`)).hits.length === 1 &&
    (await Promise.all(targets.map((_, index) => host.request('inventory', `p${index}`)))).every(
      ({ clientCount }) => clientCount === CLIENTS,
    );
  let host = open();
  try {
    host.setMode('shown');
    await waitFor('all clients', isWhole(host), READ_LIMIT_MS);
    await atRest();
    await searches(host);
    host.close();
    await waitFor('the end of the process', async () => reader() === undefined);
    const startedAtMs = performance.now();
    host = open();
    host.setMode('shown');
    await host.request('cards', null);
    figure('all panels: cards from the store, process started', performance.now() - startedAtMs, 'ms', 1_500);
    await waitFor('the kept keys', isWhole(host), READ_LIMIT_MS);
    figure('all panels: … and everything can be found', performance.now() - startedAtMs, 'ms', null);
  } finally {
    host.close();
    closePeers(peers);
    await rm(folder, { recursive: true, force: true });
  }
}

/** The process itself: the only child of this one. */
const reader = () => family(process.pid, 0).find(({ pid }) => pid !== process.pid);

async function atRest(): Promise<void> {
  await delay(5_000);
  const { pid } = reader()!;
  const before = cpuSecondsOf(pid);
  await delay(WATCH_MS);
  const percent = ((cpuSecondsOf(pid) - before) * 100_000) / WATCH_MS;
  figure('all panels: processor of the reader at rest, % of one core', percent, '%', 3);
  const memory = memoryOf(reader()!);
  figure('all panels: memory of the reader, shared pages counted once', memory.pss, 'MiB', null);
}

async function searches(host: PanelsHost): Promise<void> {
  const texts = ['client-99', 'e', 'nothing-there', 'client-9999.p19@example.org', 'customer 77', 'ab', 'a1b2', '5f-'];
  const [inside, whole]: [number[], number[]] = [[], []];
  for (let round = 0; round < SEARCHES; round += 1) {
    const startedAtMs = performance.now();
    inside.push((await host.request('search', texts.at(round % texts.length) ?? '')).tookMs);
    whole.push(performance.now() - startedAtMs);
  }
  figure('all panels: search over 200,000 clients, p95', percentile(inside, 95), 'ms', 50);
  figure('all panels: … asked and answered between processes, p95', percentile(whole, 95), 'ms', 50);
}
