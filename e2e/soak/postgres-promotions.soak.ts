import { expect, test } from 'vitest';
import { coresOf } from '../harness/core-figures.ts';
import { report } from '../harness/report.ts';
import { seededNumbers } from '../harness/seeded.ts';
import { startPair } from '../harness/standing-pair.ts';
import { startTrafficAndWrites } from '../harness/traffic-and-writes.ts';
import { pause, waitFor } from '../harness/wait-for.ts';

const PROMOTIONS = 3;

test('3 promotions of a synchronous replica lose no acknowledged write and count nothing twice', async () => {
  const pair = await startPair([]);
  const scene = await startTrafficAndWrites({ database: pair.url });
  const random = seededNumbers();
  try {
    for (let done = 0; done < PROMOTIONS; done++) {
      await pause(1_000 + random() * 3_000);
      const { appStats, core } = await scene.status();
      const before = scene.receivedBytes();
      const failing = pair.failOver();
      // Sometimes together with the panel: the next one finds the primary by itself.
      if (random() < 0.4) process.kill(appStats.pid, 'SIGKILL');
      await failing;
      // A write that was under way when the server was lost may have been acknowledged before.
      const { length } = scene.acknowledged;
      await waitFor('the panel after a promotion', async () => (await scene.status()).core.state === 'running');
      await waitFor('writes after a promotion', () => scene.acknowledged.length > length + 5);
      await waitFor('traffic after a promotion', () => scene.receivedBytes() > before + 1_000_000);
      const after = await scene.status();
      report(`promotion ${done + 1}: core ${core.pid === after.core.pid ? 'goes on' : 'is another one'}`);
      await pair.complete();
    }
    expect(await coresOf(scene.panel.dataDir)).toEqual([(await scene.status()).core.pid]);
    await scene.settle();
    report(`${PROMOTIONS} promotions of a synchronous replica`);
  } finally {
    await scene.close();
    await pair.stop();
  }
});
