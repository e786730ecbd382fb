import { describe, expect, test } from 'vitest';
import { forAllTests } from '../../src-server/testing/for-each-test.ts';
import { coresOf } from '../harness/core-figures.ts';
import { report } from '../harness/report.ts';
import { seededNumbers } from '../harness/seeded.ts';
import { startTrafficAndWrites } from '../harness/traffic-and-writes.ts';
import { pause } from '../harness/wait-for.ts';

describe('kills of the panel at random moments', () => {
  const scene = forAllTests(startTrafficAndWrites);

  test('20 kills of the panel lose no acknowledged write and count nothing twice', async () => {
    const random = seededNumbers();
    let slowestMs = 0;
    for (let round = 0; round < 20; round++) {
      await pause(300 + random() * 1_500);
      slowestMs = Math.max(slowestMs, await scene.killPanel());
      expect(await coresOf(scene.panel.dataDir)).toEqual([(await scene.status()).core.pid]);
    }
    report(`20 panel kills: slowest return of the API ${Math.round(slowestMs)} ms`);
    await scene.settle();
  });
});
