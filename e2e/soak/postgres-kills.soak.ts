import { expect, test } from 'vitest';
import { coresOf } from '../harness/core-figures.ts';
import { report } from '../harness/report.ts';
import { seededNumbers } from '../harness/seeded.ts';
import { startTrafficAndWrites } from '../harness/traffic-and-writes.ts';
import { pause, waitFor } from '../harness/wait-for.ts';
import { startCluster } from '../../src-server/testing/postgres/cluster.ts';

/** Kills in random order. */
const KILLS = { panel: 20, server: 10 };

test('20 kills of the panel and 10 of PostgreSQL lose no acknowledged write and count nothing twice', async () => {
  const cluster = await startCluster([]);
  const scene = await startTrafficAndWrites({ database: cluster.url('postgres') });
  const random = seededNumbers();
  const left = { ...KILLS };
  try {
    while (left.panel + left.server > 0) {
      await pause(300 + random() * 1_500);
      const isServer = random() * (left.panel + left.server) < left.server;
      if (!isServer) {
        left.panel -= 1;
        await scene.killPanel();
        continue;
      }
      left.server -= 1;
      const { pid } = (await scene.status()).appStats;
      await cluster.crash();
      await pause(random() * 2_000);
      // Both at once: the next panel does not start before there is a database.
      if (left.panel > 0 && random() < 0.4) {
        left.panel -= 1;
        process.kill(pid, 'SIGKILL');
      }
      await cluster.restart();
      await waitFor('the panel after a loss', async () => (await scene.status()).core.state === 'running');
    }
    expect(await coresOf(scene.panel.dataDir)).toEqual([(await scene.status()).core.pid]);
    await scene.settle();
    report('20 kills of the panel, 10 of PostgreSQL');
  } finally {
    await scene.close();
    await cluster.stop();
  }
});
