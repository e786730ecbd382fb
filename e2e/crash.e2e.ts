import { beforeAll, describe, expect, test } from 'vitest';
import { forAllTests } from '../src-server/testing/for-each-test.ts';
import type { CoreClient } from './harness/core-client.ts';
import { coresOf } from './harness/core-figures.ts';
import { startPanel } from './harness/panel-process.ts';
import { reportTime } from './harness/report.ts';
import { startServingPanel } from './harness/serving-panel.ts';
import { waitFor } from './harness/wait-for.ts';

/** Speed of the transfer that ends with a killed core, in bytes per second. */
const DRIP_BYTES = 2_000_000;
/** Speed of the transfer that ends with the panel, and the bytes between the last counter reading and that end. */
const FAST_BYTES = 5_000_000;
const UNREAD_BYTES = FAST_BYTES / 5;

describe('a panel and its core that end', () => {
  const serving = forAllTests(() => startServingPanel());
  let client: CoreClient;
  beforeAll(async () => {
    client = await serving.newClient('active');
  });
  const counted = async (): Promise<number> => (await serving.traffic('active')).down;
  /** The panel answers before its core does. */
  async function startAgain(): Promise<void> {
    serving.panel = await startPanel({ dataDir: serving.panel.dataDir, ownGroup: true });
    await waitFor('the core', async () => (await serving.status()).core.state === 'running');
  }

  test('a core that is killed four times runs again each time and loses only what was not counted yet', async () => {
    const lostSec: number[] = [];
    for (let round = 0; round < 4; round++) {
      await serving.panel.api.post('/panel/api/clients/resetTraffic/active');
      const { core } = await serving.status();
      const running = await client.stream(`${serving.site.url}/drip/${DRIP_BYTES}`);
      await waitFor('some seconds of traffic', () => running.receivedBytes() > 2.5 * DRIP_BYTES);
      process.kill(core.pid!, 'SIGKILL');
      const killedAt = performance.now();
      await waitFor('the core after its kill', async () => {
        const now = (await serving.status()).core;
        return now.state === 'running' && now.pid !== core.pid;
      });
      reportTime('the core runs again after its kill', performance.now() - killedAt, 2_000);
      running.abort();
      const countedBytes = await counted();
      expect(countedBytes).toBeGreaterThan(0);
      lostSec.push(Math.max(0, running.receivedBytes() - countedBytes) / DRIP_BYTES);
      expect(await client.fetchBytes(`${serving.site.url}/bytes/1000`)).toBe(1_000);
    }
    reportTime('traffic lost with a killed core', 1_000 * Math.max(...lostSec), 1_000);
  });

  async function expectAllCountedAfter(end: () => Promise<number | null>): Promise<void> {
    const countedBefore = await counted();
    const sentBefore = serving.site.sentBytes();
    const running = await client.stream(`${serving.site.url}/drip/${FAST_BYTES}`);
    await waitFor('some of the transfer', () => running.receivedBytes() > FAST_BYTES);
    expect(await end()).toBe(0);
    await running.ended;
    expect(await coresOf(serving.panel.dataDir)).toEqual([]);
    expect(serving.panel.stderr()).not.toContain('core.crash');
    await startAgain();
    const more = (await counted()) - countedBefore;
    expect(more).toBeGreaterThanOrEqual(running.receivedBytes() - UNREAD_BYTES);
    expect(more).toBeLessThanOrEqual(serving.site.sentBytes() - sentBefore);
  }

  test('SIGTERM in the middle of a transfer leaves no counter unread', async () => {
    await serving.panel.stop();
    await startAgain();
    await expectAllCountedAfter(() => serving.panel.stop());
  });

  test('Ctrl+C at the terminal, which signals all processes, leaves no counter unread either', async () => {
    await expectAllCountedAfter(() => {
      process.kill(-serving.panel.launcher.pid!, 'SIGINT');
      return serving.panel.stop();
    });
  });

  test('SIGTERM during bulk work cancels it completely and ends the core', async () => {
    const clients = Array.from({ length: 40_000 }, (_, i) => ({
      client: { email: `bulk-${i}` },
      inboundIds: [serving.inboundId],
    }));
    const refused = serving.panel.api.post('/panel/api/clients/bulkCreate', clients).then(
      () => 'answered',
      (error: Error) => error.message,
    );
    await waitFor('the job', async () => {
      const jobs = await serving.panel.api.get<{ state: string }[]>('/panel/api/jobs');
      return jobs.some(({ state }) => state === 'running');
    });
    expect(await serving.panel.stop()).toBe(0);
    expect(await refused).toContain('cancelled');
    expect(await coresOf(serving.panel.dataDir)).toEqual([]);
    await startAgain();
    const found = await serving.panel.api.get<{ filtered: number }>('/panel/api/clients/list/paged?search=bulk-');
    expect(found.filtered).toBe(0);
  });
});
