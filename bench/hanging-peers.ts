import { WebSocket } from 'ws';
import { createTestBrowser } from '../src-server/testing/peers/test-browser.ts';
import { freePort } from '../src-server/testing/free-port.ts';
import { hangingPeers } from '../e2e/harness/peers/hanging-peers.ts';
import { firstCredentials } from '../e2e/ui/browser.ts';
import type { PanelProcess } from '../e2e/harness/panel-process.ts';
import { pause, waitFor } from '../e2e/harness/wait-for.ts';
import { figure, percentile, timed } from './figures.ts';
import { inFolder, withPanel } from './measured-panel.ts';
import { seedClients } from './seed.ts';

const CLIENTS = 10_000;
const ROUNDS = 100;
const TICK_MS = 5_000;

/** Requests and ticks with 10,000 clients: without peers, then with all four peers hanging at once. */
export async function whilePeersHang(): Promise<void> {
  const peers = await hangingPeers();
  try {
    await inFolder((dataDir) => measure(peers, dataDir));
  } finally {
    await peers.close();
  }
}

async function measure(peers: Awaited<ReturnType<typeof hangingPeers>>, dataDir: string): Promise<void> {
  const { inboundId, port } = await seedClients(dataDir, CLIENTS, await freePort());
  await withPanel({ dataDir }, async (panel) => {
    const ticks = await watchTicks(panel);
    await requests(panel, inboundId, 'nobody hangs', null);
    await peers.connect(panel.api, `in-${port}-tcp`);
    await createTestBrowser(panel.url)
      .signIn('mallory', 'wrong')
      .catch(() => {});
    await peers.allHang();
    ticks.length = 0;
    await requests(panel, inboundId, `${peers.hangingAt().join(', ')} hang`, 50);
    await pause(3 * TICK_MS);
    await peers.allHang();
    const latestMs = ticks.slice(1).reduce((most, atMs, at) => Math.max(most, atMs - (ticks[at] ?? atMs) - TICK_MS), 0);
    figure(`${ticks.length} ticks while they hang: latest by`, latestMs, 'ms', 250);
  });
}

async function requests(
  { api }: PanelProcess,
  inboundId: number,
  when: string,
  targetMs: number | null,
): Promise<void> {
  const email = (i: number): string => `${when.length}-${i}`;
  const kinds: [string, (i: number) => Promise<unknown>][] = [
    ['status', () => api.get('/panel/api/server/status')],
    ['page of clients', (i) => api.get(`/panel/api/clients/list/paged?page=${1 + (i % 5)}`)],
    [
      'add a client',
      (i) => api.post('/panel/api/clients/add', { client: { email: email(i) }, inboundIds: [inboundId] }),
    ],
    ['save a setting', (i) => api.post('/panel/api/setting/update', { pageSize: 20 + (i % 5) })],
    ['events', () => api.get('/panel/api/events/list')],
  ];
  const all: number[] = [];
  for (const [name, call] of kinds) {
    const samples = await timed(ROUNDS, call);
    figure(`${name}, ${when}: p95`, percentile(samples, 95), 'ms', targetMs);
    all.push(...samples);
  }
  figure(`all requests, ${when}: p95`, percentile(all, 95), 'ms', targetMs);
}

/** Times at which a page received a tick. */
async function watchTicks(panel: PanelProcess): Promise<number[]> {
  const { username, password } = await waitFor('the first password', () => {
    const found = firstCredentials(panel);
    return found.password === '' ? undefined : found;
  });
  const browser = createTestBrowser(panel.url);
  await browser.signIn(username, password);
  const socket = new WebSocket(new URL('ws', panel.url.replace('http', 'ws')), {
    headers: { cookie: browser.cookieHeader() },
    origin: new URL(panel.url).origin,
  });
  const ticks: number[] = [];
  socket.on('message', (data: Buffer) => {
    if ((JSON.parse(data.toString()) as { type: string }).type === 'traffic') ticks.push(performance.now());
  });
  return ticks;
}
