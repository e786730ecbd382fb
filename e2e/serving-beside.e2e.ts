import { copyFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { coresOf } from './harness/core-figures.ts';
import { disposePanel, newDataDir, startPanel, type PanelProcess } from './harness/panel-process.ts';
import { startServingPanel, type ServingPanel } from './harness/serving-panel.ts';
import { addVlessInbound, connectVless } from './harness/vless-inbound.ts';
import type { CoreClient } from './harness/core-client.ts';
import { pause, waitFor } from './harness/wait-for.ts';
import { startCluster, type Cluster } from '../src-server/testing/postgres/cluster.ts';
import type { PanelServer } from '../src-server/domains/servers/contract.ts';

/** Longest time between two readings of a core. */
const READING_MS = 5_000;

let cluster: Cluster;
let serving: ServingPanel;
let there: CoreClient | undefined;
const others: PanelProcess[] = [];
beforeAll(async () => {
  cluster = await startCluster();
  serving = await startServingPanel({ database: cluster.url('postgres') });
});
afterAll(async () => {
  await there?.close();
  for (const panel of others) await disposePanel(panel);
  await serving.close();
  await cluster.stop();
});

const ownId = async (panel: PanelProcess): Promise<string> =>
  (await panel.api.get<PanelServer[]>('/panel/api/servers/list')).find(({ isHere }) => isHere)!.id;

const counted = async (): Promise<number> => (await serving.traffic('active')).down;
/** Every byte sent by the site is booked. One that is booked twice later fails the next call. */
async function countedOnce(): Promise<void> {
  const sent = serving.site.sentBytes();
  await waitFor(`${sent} bytes counted`, async () => (await counted()) >= sent);
  expect(await counted()).toBe(sent);
}
const reaches = (client: CoreClient) => waitFor('the tunnel', async () => !(await serving.isRefused(client)));

test('a standby serves an inbound, through a takeover and moves there and back; each byte counts once', async () => {
  const first = serving.panel;
  const folder = await newDataDir();
  await copyFile(join(first.dataDir, 'secret.key'), join(folder, 'secret.key'));
  const second = await startPanel({ dataDir: folder, database: cluster.url('postgres') });
  others.push(second);
  const served = await addVlessInbound(first.api, { serverId: await ownId(second) });
  await first.api.post('/panel/api/clients/add', {
    client: { email: 'active' },
    inboundIds: [serving.inboundId, served.id],
  });
  const here = await serving.connect('active');
  there = await connectVless(first.api, served.port, 'active');
  const get = async (client: CoreClient, bytes: number) =>
    expect(await client.fetchBytes(`${serving.site.url}/bytes/${bytes}`)).toBe(bytes);
  await reaches(there);
  await reaches(here);
  expect(await coresOf(folder)).toHaveLength(1);
  await get(there, 3_000_000);
  await get(here, 1_000_000);
  await countedOnce();

  // No panel is active for a moment; the inbound of the other server is served all the same.
  first.launcher.kill('SIGKILL');
  process.kill(first.ready.pid, 'SIGKILL');
  await get(there, 2_000_000);
  serving.panel = second;
  await waitFor('the takeover', async () => {
    const status = await second.api.get<{ standby?: object; core: { state: string } }>('/panel/api/server/status');
    return status.standby === undefined && status.core.state === 'running';
  });
  await reaches(there);
  await get(there, 4_000_000);
  await countedOnce();

  // It moves to the killed one, which is on standby now. While that one is stopped nothing serves it.
  const again = await startPanel({ dataDir: first.dataDir, database: cluster.url('postgres') });
  others.push(again);
  const moveTo = async (serverId: string | null) => {
    const row = await second.api.get<object>(`/panel/api/inbounds/get/${served.id}`);
    await second.api.post(`/panel/api/inbounds/update/${served.id}`, { ...row, serverId });
  };
  await moveTo(await ownId(again));
  await waitFor('a core of the first', async () => (await coresOf(first.dataDir)).length === 1);
  await reaches(there);
  await get(there, 5_000_000);
  await countedOnce();
  expect(await again.stop()).toBe(0);
  expect(await serving.isRefused(there)).toBe(true);

  await moveTo(null);
  await reaches(there);
  await get(there, 1_000_000);
  await countedOnce();
  await pause(2 * READING_MS);
  await countedOnce();
  await rm(folder, { recursive: true });
});
