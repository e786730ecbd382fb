import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { waitFor } from '../e2e/harness/wait-for.ts';
import { SavedConnection } from '../src-main/connections/connection.ts';
import type { FromPanels, PanelTarget, ToPanels } from '../src-main/panels/messages.ts';
import { createPanelsHost, type PanelsHost } from '../src-main/panels/panels-host.ts';
import { externalNode } from '../src-main/supervisor/external-node.ts';
import { figure, percentile } from './figures.ts';
import { cpuSecondsOf, family, memoryOf } from './process-family.ts';

const [PANELS, CLIENTS] = [20, 10_000];
const WATCH_MS = 30_000;
const SEARCHES = 40;
const READ_LIMIT_MS = 300_000;

const client = (panel: number, index: number): object => ({
  email: `client-${index}.p${panel}@example.org`,
  subId: randomUUID().slice(0, 16),
  uuid: randomUUID(),
  comment: index % 3 === 0 ? `customer ${index}` : '',
  enable: true,
  totalGB: 0,
  expiryTime: 0,
  traffic: { up: index, down: index },
});

/** Panels that answer at once with 10,000 clients each: what is measured is the reader. */
async function openPeers() {
  const clients = Array.from({ length: PANELS }, (_, panel) =>
    JSON.stringify({
      success: true,
      msg: '',
      obj: Array.from({ length: CLIENTS }, (__, index) => client(panel, index)),
    }),
  );
  const status = {
    cpu: 5,
    mem: { current: 1, total: 2 },
    core: { state: 'running', version: '1' },
    netIO: { up: 1, down: 2 },
  };
  const page = { total: CLIENTS, items: [{ updatedAt: 1 }], summary: { total: CLIENTS, onlineCount: 7 } };
  const answers: Record<string, unknown> = {
    'server/status': status,
    'clients/list/paged': page,
    'inbounds/list/counted': [],
  };
  return Promise.all(
    clients.map(async (everybody) => {
      const server = createServer((request, response) => {
        request.resume();
        const path = request.url!.replace('/panel/api/', '').split('?')[0]!;
        const obj = path in answers ? answers[path] : null;
        response.end(path === 'clients/list' ? everybody : JSON.stringify({ success: obj !== null, msg: '', obj }));
      });
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      return server;
    }),
  );
}

/** The process that reads all panels of the desktop window: 20 of them, 200,000 clients. */
export async function allPanels(): Promise<void> {
  if (process.platform !== 'linux') {
    process.stdout.write('all panels: not measured, its figures are read from /proc\n');
    return;
  }
  const folder = await mkdtemp(join(tmpdir(), 'switchyard-panels-'));
  const peers = await openPeers();
  const key = randomBytes(32).toString('base64');
  const targets = peers.map((server, index): PanelTarget => ({
    kind: 'remote',
    saved: SavedConnection.parse({
      id: `p${index}`,
      name: `p${index}`,
      color: 'blue',
      address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
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
        join(import.meta.dirname, '../src-main/panels/panels-main.ts'),
      ),
      file: join(folder, 'panels.db'),
      key: async () => ({ key, isKept: true }),
      targets: async () => targets,
      onCards: () => undefined,
    });
  const isWhole = (host: PanelsHost) => async (): Promise<boolean> =>
    (await host.ask('search', `client-1.p${PANELS - 1}@example.org`)).hits.length === 1 &&
    (await Promise.all(targets.map((_, index) => host.ask('inventory', `p${index}`)))).every(
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
    await host.ask('cards', null);
    figure('all panels: cards from the store, process started', performance.now() - startedAtMs, 'ms', 1_500);
    await waitFor('the kept keys', isWhole(host), READ_LIMIT_MS);
    figure('all panels: … and everything can be found', performance.now() - startedAtMs, 'ms', null);
  } finally {
    host.close();
    for (const peer of peers) {
      peer.close();
      peer.closeAllConnections();
    }
    await rm(folder, { recursive: true, force: true });
  }
}

/** The process itself: the only one that this one starts. */
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
    inside.push((await host.ask('search', texts[round % texts.length]!)).tookMs);
    whole.push(performance.now() - startedAtMs);
  }
  figure('all panels: search over 200,000 clients, p95', percentile(inside, 95), 'ms', 50);
  figure('all panels: … asked and answered between processes, p95', percentile(whole, 95), 'ms', 50);
}
