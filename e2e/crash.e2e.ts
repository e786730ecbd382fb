import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CoreClient } from './harness/core-client.ts';
import { coresOf } from './harness/core-figures.ts';
import { freePort } from './harness/free-port.ts';
import { allowPrivateEgress } from './harness/open-egress.ts';
import { disposePanel, startPanel, type PanelProcess } from './harness/panel-process.ts';
import { reportTime } from './harness/report.ts';
import { startTargetServer, type TargetServer } from './harness/target-server.ts';
import { waitFor } from './harness/wait-for.ts';
import { addVlessInbound, connectVless } from './harness/vless-inbound.ts';

/** Speed of the transfer that a killed core ends, in bytes per second. */
const DRIP_BYTES = 2_000_000;
/** Speed of the transfer that the end of the panel ends, and what passes between the last reading of the counters and that end. */
const FAST_BYTES = 5_000_000;
const UNREAD_BYTES = FAST_BYTES / 5;

interface Status {
  core: { state: string; pid: number | null };
  appStats: { pid: number };
}

describe('a panel and its core that are ended', () => {
  let panel: PanelProcess;
  let site: TargetServer;
  let port: number;
  let inboundId: number;
  let client: CoreClient;

  beforeAll(async () => {
    site = await startTargetServer();
    panel = await startPanel();
    await allowPrivateEgress(panel.api);
    port = await freePort();
    inboundId = (await addVlessInbound(panel.api, { port })).id;
    await panel.api.post('/panel/api/clients/add', { client: { email: 'mover' }, inboundIds: [inboundId] });
    client = await connectVless(panel.api, port, 'mover');
  });
  afterAll(async () => {
    await client.close();
    await disposePanel(panel);
    await site.close();
  });

  const status = (): Promise<Status> => panel.api.get<Status>('/panel/api/server/status');
  const counted = async (): Promise<number> =>
    (await panel.api.get<{ down: number }>('/panel/api/clients/traffic/mover')).down;
  test('a core that is killed four times runs again each time and loses only what was not counted yet', async () => {
    const lostSec: number[] = [];
    for (let round = 0; round < 4; round++) {
      await panel.api.post('/panel/api/clients/resetTraffic/mover');
      const { core } = await status();
      const running = await client.stream(`${site.url}/drip/${DRIP_BYTES}`);
      await waitFor('some seconds of traffic', () => running.receivedBytes() > 2.5 * DRIP_BYTES);
      process.kill(core.pid!, 'SIGKILL');
      const killedAt = performance.now();
      await waitFor('the core after its kill', async () => {
        const now = (await status()).core;
        return now.state === 'running' && now.pid !== core.pid;
      });
      reportTime('the core runs again after its kill', performance.now() - killedAt, 2_000);
      running.abort();
      const countedBytes = await counted();
      expect(countedBytes).toBeGreaterThan(0);
      lostSec.push(Math.max(0, running.receivedBytes() - countedBytes) / DRIP_BYTES);
      expect(await client.fetchBytes(`${site.url}/bytes/1000`)).toBe(1_000);
    }
    reportTime('traffic lost with a killed core', 1_000 * Math.max(...lostSec), 1_000);
  });

  async function expectAllCountedAfter(end: () => Promise<number | null>): Promise<void> {
    const countedBefore = await counted();
    const sentBefore = site.sentBytes();
    const running = await client.stream(`${site.url}/drip/${FAST_BYTES}`);
    await waitFor('some of the transfer', () => running.receivedBytes() > FAST_BYTES);
    expect(await end()).toBe(0);
    await running.ended;
    expect(await coresOf(panel.dataDir)).toEqual([]);
    expect(panel.stderr()).not.toContain('core.crash');
    panel = await startPanel({ dataDir: panel.dataDir, ownGroup: true });
    const more = (await counted()) - countedBefore;
    expect(more).toBeGreaterThanOrEqual(running.receivedBytes() - UNREAD_BYTES);
    expect(more).toBeLessThanOrEqual(site.sentBytes() - sentBefore);
  }

  test('SIGTERM in the middle of a transfer leaves nothing unread', async () => {
    await panel.stop();
    panel = await startPanel({ dataDir: panel.dataDir, ownGroup: true });
    await expectAllCountedAfter(() => panel.stop());
  });

  test('Ctrl+C at the terminal, which all processes are told of, leaves nothing unread either', async () => {
    await expectAllCountedAfter(() => {
      process.kill(-panel.launcher.pid!, 'SIGINT');
      return panel.stop();
    });
  });

  test('SIGTERM during bulk work cancels it whole and ends the core', async () => {
    const inbounds = await panel.api.get<{ id: number }[]>('/panel/api/inbounds/list/slim');
    const clients = Array.from({ length: 40_000 }, (_, i) => ({
      client: { email: `bulk-${i}` },
      inboundIds: [inbounds[0]!.id],
    }));
    const refused = panel.api.post('/panel/api/clients/bulkCreate', clients).then(
      () => 'answered',
      (error: Error) => error.message,
    );
    await waitFor('the job', async () => {
      const jobs = await panel.api.get<{ state: string }[]>('/panel/api/jobs');
      return jobs.some(({ state }) => state === 'running');
    });
    expect(await panel.stop()).toBe(0);
    expect(await refused).toContain('cancelled');
    expect(await coresOf(panel.dataDir)).toEqual([]);
    panel = await startPanel({ dataDir: panel.dataDir });
    const found = await panel.api.get<{ filtered: number }>('/panel/api/clients/list/paged?search=bulk-');
    expect(found.filtered).toBe(0);
  });
});
