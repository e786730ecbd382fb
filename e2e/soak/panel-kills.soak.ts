import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CoreClient, Transfer } from '../harness/core-client.ts';
import { coresOf } from '../harness/core-figures.ts';
import { freePort } from '../harness/free-port.ts';
import { allowPrivateEgress } from '../harness/open-egress.ts';
import { disposePanel, startPanel, type PanelProcess } from '../harness/panel-process.ts';
import { report } from '../harness/report.ts';
import { seededNumbers } from '../harness/seeded.ts';
import { startTargetServer, type TargetServer } from '../harness/target-server.ts';
import { pause, waitFor } from '../harness/wait-for.ts';
import { addVlessInbound, connectVless } from '../harness/vless-inbound.ts';

interface Status {
  core: { state: string; pid: number | null };
  appStats: { pid: number };
}

describe('kills of the panel at random moments', () => {
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
    const random = seededNumbers();
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
        await pause(300 + random() * 1_500);
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
});
