import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { coresOf } from '../harness/core-figures.ts';
import { startPanelWithMirror } from '../harness/core/core-mirror.ts';
import { disposePanel } from '../harness/panel-process.ts';
import { report } from '../harness/report.ts';
import { seededNumbers } from '../harness/seeded.ts';
import { pause, waitFor } from '../harness/wait-for.ts';

interface Status {
  core: { state: string; pid: number | null };
  appStats: { pid: number };
}

const KILLS = 20;
/** Slow enough to be interrupted anywhere. */
const PIECE_MS = 10;

describe('kills of the panel at random moments of an installation', () => {
  const random = seededNumbers();
  let place: Awaited<ReturnType<typeof startPanelWithMirror>>;
  beforeAll(async () => {
    place = await startPanelWithMirror({ pieceMs: PIECE_MS });
  });
  afterAll(async () => {
    await disposePanel(place.panel);
    await place.closeMirror();
  });

  const status = (): Promise<Status> => place.panel.api.get<Status>('/panel/api/server/status');
  async function killAndReturn(): Promise<void> {
    const { pid } = (await status()).appStats;
    process.kill(pid, 'SIGKILL');
    const { core } = await waitFor(
      'the panel and its core after a kill',
      async () => {
        const now = await status();
        return now.appStats.pid !== pid && now.core.state === 'running' && now;
      },
      30_000,
    );
    expect(await coresOf(place.panel.dataDir)).toEqual([core.pid]);
  }

  test(`${KILLS} kills leave one core or the other`, { timeout: 600_000 }, async () => {
    let changes = 0;
    for (let round = 0; round < KILLS; round++) {
      const installed = place.coreDigest();
      const published = place.publishOtherCore();
      await place.panel.api.post('/panel/api/server/installCore/latest');
      await pause(random() * 6_000);
      await killAndReturn();
      const now = place.coreDigest();
      expect([installed, published]).toContain(now);
      expect(place.leftInFolder()).toEqual([]);
      if (now !== installed) changes += 1;
    }
    report(`${KILLS} kills during an installation: ${changes} times the new core ran`);
    const published = place.publishOtherCore();
    expect(await place.finished('/panel/api/server/installCore/latest')).toMatchObject({ state: 'done', error: '' });
    expect(place.coreDigest()).toBe(published);
  });

  test(`${KILLS} kills leave all geo files of an update or none`, { timeout: 600_000 }, async () => {
    let before = place.publishGeoFiles('FIRST');
    expect(await place.finished('/panel/api/server/updateGeofile')).toMatchObject({ state: 'done', error: '' });
    expect(place.geoFiles()).toEqual(before);
    for (let round = 0; round < KILLS; round++) {
      const published = place.publishGeoFiles(`R${round}-`);
      await place.panel.api.post('/panel/api/server/updateGeofile');
      await pause(random() * 7_000);
      await killAndReturn();
      const after = place.geoFiles();
      expect([JSON.stringify(before), JSON.stringify(published)]).toContain(JSON.stringify(after));
      expect(place.leftInFolder()).toEqual([]);
      before = after;
    }
  });
});
