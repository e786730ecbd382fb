import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startCoreClient, type CoreClient, type Transfer } from './harness/core-client.ts';
import { coresOf, isAlive } from './harness/core-figures.ts';
import { freePort } from './harness/free-port.ts';
import { allowPrivateEgress } from './harness/open-egress.ts';
import { disposePanel, startPanel, type PanelProcess } from './harness/panel-process.ts';
import { report } from './harness/report.ts';
import { startTargetServer, type TargetServer } from './harness/target-server.ts';
import { pause, waitFor } from './harness/wait-for.ts';

interface Status {
  core: { state: string; pid: number | null };
  appStats: { pid: number };
}

describe('kills at random moments', () => {
  let panel: PanelProcess;
  let site: TargetServer;
  let port: number;
  let inboundId: number;
  let client: CoreClient;
  let receivedBefore = 0;
  let transfer: Transfer | null = null;

  beforeAll(async () => {
    site = await startTargetServer();
    panel = await startPanel();
    await allowPrivateEgress(panel.api);
    port = await freePort();
    inboundId = (
      await panel.api.post<{ id: number }>('/panel/api/inbounds/add', {
        enable: true,
        listen: '127.0.0.1',
        port,
        protocol: 'vless',
        settings: { decryption: 'none' },
        streamSettings: { network: 'tcp', security: 'none' },
      })
    ).id;
    await panel.api.post('/panel/api/clients/add', { client: { email: 'mover' }, inboundIds: [inboundId] });
    const got = await panel.api.get<{ client: { id: string } }>('/panel/api/clients/get/mover');
    client = await startCoreClient({
      protocol: 'vless',
      settings: { address: '127.0.0.1', port, id: got.client.id, encryption: 'none' },
    });
  });
  afterAll(async () => {
    await client.close();
    await disposePanel(panel);
    await site.close();
  });

  const status = (): Promise<Status> => panel.api.get<Status>('/panel/api/server/status');
  const counted = async (): Promise<number> =>
    (await panel.api.get<{ down: number }>('/panel/api/clients/traffic/mover')).down;
  const received = (): number => receivedBefore + (transfer?.receivedBytes() ?? 0);

  /** Keeps one transfer going, whatever happens to the core. */
  async function keepMoving(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        transfer = await client.stream(`${site.url}/drip/4000000`);
        if (!signal.aborted)
          await Promise.race([transfer.ended, new Promise((resolve) => signal.addEventListener('abort', resolve))]);
        transfer.abort();
        receivedBefore += transfer.receivedBytes();
        transfer = null;
      } catch {
        await pause(100);
      }
    }
  }

  test('20 kills of the panel lose no acknowledged write and count nothing twice', async () => {
    const stop = new AbortController();
    const moving = keepMoving(stop.signal);
    const acknowledged: string[] = [];
    let next = 0;
    const writing = (async () => {
      while (!stop.signal.aborted) {
        const email = `written-${next++}`;
        try {
          await panel.api.post('/panel/api/clients/add', { client: { email }, inboundIds: [inboundId] });
          acknowledged.push(email);
        } catch {
          await pause(20);
        }
      }
    })();
    let slowestMs = 0;
    try {
      for (let round = 0; round < 20; round++) {
        await pause(300 + Math.random() * 1_500);
        const { pid } = (await status()).appStats;
        process.kill(pid, 'SIGKILL');
        const killedAt = performance.now();
        await waitFor('the API after a kill', async () => (await status()).appStats.pid !== pid, 20_000, 20);
        slowestMs = Math.max(slowestMs, performance.now() - killedAt);
        await waitFor('the core after a kill', async () => (await status()).core.state === 'running', 15_000);
        expect(await coresOf(panel.dataDir)).toEqual([(await status()).core.pid]);
      }
    } finally {
      stop.abort();
      await Promise.all([moving, writing]);
    }
    report(
      `20 panel kills: ${acknowledged.length} writes acknowledged, slowest return of the API ${Math.round(slowestMs)} ms`,
    );
    const present = new Set(
      (await panel.api.get<{ email: string }[]>('/panel/api/clients/list')).map(({ email }) => email),
    );
    expect(acknowledged.filter((email) => !present.has(email))).toEqual([]);
    await pause(6_000);
    const total = await counted();
    report(`received ${received()}, counted ${total}, sent ${site.sentBytes()}`);
    expect(total).toBeGreaterThanOrEqual(received());
    expect(total).toBeLessThanOrEqual(site.sentBytes());
  });

  test('5 kills of the core: running again within 10 s each time', async () => {
    let slowestMs = 0;
    for (let round = 0; round < 5; round++) {
      const { core } = await waitFor('a running core', async () => {
        const now = await status();
        return now.core.state === 'running' && now.core.pid !== null && isAlive(now.core.pid) ? now : undefined;
      });
      process.kill(core.pid!, 'SIGKILL');
      const killedAt = performance.now();
      await waitFor(
        'the core after its kill',
        async () => {
          const now = (await status()).core;
          return now.state === 'running' && now.pid !== core.pid;
        },
        15_000,
        20,
      );
      slowestMs = Math.max(slowestMs, performance.now() - killedAt);
      expect(await client.fetchBytes(`${site.url}/bytes/1000`)).toBe(1_000);
    }
    report(`5 core kills: slowest return ${Math.round(slowestMs)} ms`);
    expect(slowestMs).toBeLessThan(10_000);
  });

  test('SIGTERM in the middle of a transfer leaves nothing uncounted', async () => {
    await panel.api.post('/panel/api/clients/resetTraffic/mover');
    await pause(6_000);
    const before = await counted();
    const sentBefore = site.sentBytes();
    const running = await client.stream(`${site.url}/drip/5000000`);
    await pause(2_345);
    const stopAt = performance.now();
    const code = await panel.stop();
    report(`graceful stop took ${Math.round(performance.now() - stopAt)} ms`);
    await running.ended;
    expect(code).toBe(0);
    const cores = await coresOf(panel.dataDir);
    expect(cores).toEqual([]);
    const receivedBytes = running.receivedBytes();
    panel = await startPanel({ dataDir: panel.dataDir });
    const total = (await counted()) - before;
    report(`received ${receivedBytes}, counted ${total}, sent ${site.sentBytes() - sentBefore}`);
    expect(total).toBeGreaterThanOrEqual(receivedBytes);
    expect(total).toBeLessThanOrEqual(site.sentBytes() - sentBefore);
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
