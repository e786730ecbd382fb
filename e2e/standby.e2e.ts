import { copyFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { coresOf } from './harness/core-figures.ts';
import { disposePanel, newDataDir, startPanel, type PanelProcess } from './harness/panel-process.ts';
import { report } from './harness/report.ts';
import { startTrafficAndWrites, type TrafficAndWrites } from './harness/traffic-and-writes.ts';
import { waitFor } from './harness/wait-for.ts';
import { startCluster, type Cluster } from '../src-server/testing/postgres/cluster.ts';

let cluster: Cluster;
let scene: TrafficAndWrites;
const others: PanelProcess[] = [];
beforeAll(async () => {
  cluster = await startCluster();
  scene = await startTrafficAndWrites({ database: cluster.url('postgres') });
});
afterAll(async () => {
  for (const panel of others) await disposePanel(panel);
  await scene.close();
  await cluster.stop();
});

interface Status {
  standby?: { name: string; address: string };
  core: { state: string };
}
const statusOf = (panel: PanelProcess): Promise<Status> => panel.api.get<Status>('/panel/api/server/status');

/** Kills a process and its launcher, as when its container is killed; its core stays. */
function killForGood(panel: PanelProcess): void {
  panel.launcher.kill('SIGKILL');
  process.kill(panel.ready.pid, 'SIGKILL');
}

test('a standby answers reads, refuses changes and takes over; every byte of both cores is counted once', async () => {
  const database = cluster.url('postgres');
  const first = scene.panel;
  const folder = await newDataDir();
  await copyFile(join(first.dataDir, 'secret.key'), join(folder, 'secret.key'));
  const second = await startPanel({ dataDir: folder, database });
  others.push(second);
  const standing = await statusOf(second);
  expect(standing).toMatchObject({ standby: { address: first.url }, core: { state: 'stop' } });
  expect((await statusOf(first)).standby).toBeUndefined();
  const email = scene.acknowledged[0]!;
  expect(await second.api.get(`/panel/api/clients/get/${email}`)).toMatchObject({ client: { email } });
  const refused = await second.api.send('POST', '/panel/api/clients/del/active');
  expect(refused).toMatchObject({ error: { code: 'store.standby', params: { address: first.url } } });

  // Its container is killed; the core there goes on, and holds the inbound's port until it is ended.
  killForGood(first);
  const killedAtMs = performance.now();
  scene.talkTo(second.api);
  const had = scene.acknowledged.length;
  await waitFor('the standby to be active', async () => (await statusOf(second)).standby === undefined);
  await waitFor('writes again', () => scene.acknowledged.length > had + 5);
  report(`taken over after ${Math.round(performance.now() - killedAtMs)} ms`);
  const before = scene.receivedBytes();
  await waitFor('traffic through the first core', () => scene.receivedBytes() > before + 1_000_000);
  const again = await startPanel({ dataDir: first.dataDir, database });
  others.push(again);
  expect((await statusOf(again)).standby).toMatchObject({ address: second.url });
  await waitFor('the end of the first core', async () => (await coresOf(first.dataDir)).length === 0);
  const moved = scene.receivedBytes();
  await waitFor('traffic through the second core', () => scene.receivedBytes() > moved + 1_000_000);
  await scene.settle();

  // A stop hands over at once, and back.
  expect(await second.stop()).toBe(0);
  await waitFor('the first to be active', async () => (await statusOf(again)).core.state === 'running');
  await rm(folder, { recursive: true });
});
