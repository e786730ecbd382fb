import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { expect, test } from 'vitest';
import { coresOf } from '../harness/core-figures.ts';
import { disposePanel, newDataDir, startPanel, type PanelProcess } from '../harness/panel-process.ts';
import { report } from '../harness/report.ts';
import { seededNumbers } from '../harness/seeded.ts';
import { startTrafficAndWrites } from '../harness/traffic-and-writes.ts';
import { pause, waitFor } from '../harness/wait-for.ts';
import { startCluster } from '../../src-server/testing/postgres/cluster.ts';

const TAKEOVERS = 24;
const WAYS = ['paused', 'killed', 'stopped', 'restarted', 'server'] as const;

interface Status {
  standby?: object;
  core: { state: string };
  appStats: { pid: number };
}

test('random takeovers: one panel is active, no acknowledged write is lost, nothing counted twice', async () => {
  const cluster = await startCluster([]);
  const database = cluster.url('postgres');
  const scene = await startTrafficAndWrites({ database });
  const random = seededNumbers();
  const panels: PanelProcess[] = [scene.panel];
  const folder = await newDataDir();
  await copyFile(join(scene.panel.dataDir, 'secret.key'), join(folder, 'secret.key'));
  panels.push(await startPanel({ dataDir: folder, database }));
  const statusOf = (panel: PanelProcess): Promise<Status> => panel.api.get<Status>('/panel/api/server/status');

  /** The active panel and the other one; both answer. */
  const roles = (): Promise<{ active: number; status: Status }> =>
    waitFor('one active panel and one that stands by', async () => {
      const both = await Promise.all(panels.map(statusOf));
      const active = both.findIndex(({ standby }) => standby === undefined);
      const isOne = both.filter(({ standby }) => standby === undefined).length === 1;
      const isServing = both[active]?.core.state === 'running';
      return isOne && isServing && { active, status: both[active]! };
    });
  const again = async (at: number): Promise<void> => {
    const { dataDir } = panels[at]!;
    panels[at] = await startPanel({ dataDir, database });
  };

  const ways: Record<(typeof WAYS)[number], (at: number, status: Status) => Promise<void>> = {
    /** As a virtual machine that is paused until its connections are given up. */
    async paused(at, { appStats }) {
      process.kill(appStats.pid, 'SIGSTOP');
      const owner = new Client(database);
      await owner.connect();
      await owner.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'switchyard panel%'`,
      );
      await owner.end();
      await waitFor('the other one', async () => (await statusOf(panels[1 - at]!)).standby === undefined);
      process.kill(appStats.pid, 'SIGCONT');
    },
    async killed(at, { appStats }) {
      panels[at]!.launcher.kill('SIGKILL');
      process.kill(appStats.pid, 'SIGKILL');
      if (random() < 0.5)
        await waitFor('the other one', async () => (await statusOf(panels[1 - at]!)).standby === undefined);
      await again(at);
    },
    async stopped(at) {
      await panels[at]!.stop();
      await waitFor('the other one', async () => (await statusOf(panels[1 - at]!)).standby === undefined);
      await again(at);
    },
    async restarted(_, { appStats }) {
      // Its launcher restarts it; then either of the two may be active.
      process.kill(appStats.pid, 'SIGKILL');
    },
    async server() {
      await cluster.crash();
      await pause(random() * 2_000);
      await cluster.restart();
    },
  };

  try {
    for (let round = 0; round < TAKEOVERS; round++) {
      const { active, status } = await roles();
      scene.talkTo(panels[active]!.api);
      await pause(300 + random() * 1_500);
      const way = WAYS[Math.floor(random() * WAYS.length)]!;
      await ways[way](active, status);
    }
    const { active } = await roles();
    scene.talkTo(panels[active]!.api);
    await waitFor('the end of the other core', async () => (await coresOf(panels[1 - active]!.dataDir)).length === 0);
    await scene.settle();
    const seen = await panels[1 - active]!.api.get<object[]>('/panel/api/clients/list');
    expect(seen.length).toBeGreaterThanOrEqual(scene.acknowledged.length);
    report(`${TAKEOVERS} takeovers`);
  } finally {
    for (const panel of panels) await disposePanel(panel);
    await scene.close();
    await cluster.stop();
  }
}, 1_800_000);
