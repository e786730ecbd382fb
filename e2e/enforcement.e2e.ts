import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CoreClient } from './harness/core-client.ts';
import { freePort } from './harness/free-port.ts';
import { allowPrivateEgress } from './harness/open-egress.ts';
import { disposePanel, startPanel, type PanelProcess } from './harness/panel-process.ts';
import { startTargetServer, type TargetServer } from './harness/target-server.ts';
import { report, reportTime } from './harness/report.ts';
import { waitFor } from './harness/wait-for.ts';
import { addVlessInbound, connectVless } from './harness/vless-inbound.ts';

const DAY_MS = 86_400_000;
const QUOTA_BYTES = 10_000_000;
/** A restart of the core ends a transfer; a mere stall is judged by its figure, with room for a busy machine. */
const STALL_MS = 500;

describe('quota, expiry and disabling', () => {
  let panel: PanelProcess;
  let site: TargetServer;
  let port: number;
  let inboundId: number;
  const clients: CoreClient[] = [];

  beforeAll(async () => {
    panel = await startPanel();
    site = await startTargetServer();
    await allowPrivateEgress(panel.api);
    port = await freePort();
    const inbound = await addVlessInbound(panel.api, { remark: 'enforced', port });
    inboundId = inbound.id;
  });
  afterAll(async () => {
    for (const client of clients) await client.close();
    await disposePanel(panel);
    await site.close();
  });

  async function newClient(email: string, limits: Record<string, unknown> = {}): Promise<CoreClient> {
    await panel.api.post('/panel/api/clients/add', { client: { email, ...limits }, inboundIds: [inboundId] });
    const started = await connectVless(panel.api, port, email);
    clients.push(started);
    return started;
  }
  const isRefused = (client: CoreClient): Promise<boolean> =>
    client.fetchBytes(`${site.url}/bytes/10`, 2_000).then(
      () => false,
      () => true,
    );
  async function corePid(): Promise<number> {
    const { core } = await panel.api.get<{ core: { pid: number | null } }>('/panel/api/server/status');
    if (core.pid === null) throw new Error('the core does not run');
    return core.pid;
  }
  /** Until the counters of a client that moves bytes were read twice from now on, so that the loop has had its turn. */
  async function readingAfter(email: string): Promise<void> {
    const down = async (): Promise<number> =>
      (await panel.api.get<{ down: number }>(`/panel/api/clients/traffic/${email}`)).down;
    for (let reading = 0; reading < 2; reading++) {
      const before = await down();
      await waitFor('a reading of the counters', async () => (await down()) > before, 60_000, 200);
    }
  }
  const setRestartOnDisable = (on: boolean): Promise<unknown> =>
    panel.api.post('/panel/api/setting/update', { restartCoreOnClientDisable: on });

  test('a client over its quota is refused, and its open connection goes', async () => {
    await setRestartOnDisable(true);
    const client = await newClient('quota-10mb', { totalGB: QUOTA_BYTES });
    const transfer = await client.stream(`${site.url}/drip/2000000`);
    await waitFor('the quota to be crossed', () => transfer.receivedBytes() >= QUOTA_BYTES, 20_000, 10);
    const crossedAt = performance.now();
    await waitFor('new connections refused', () => isRefused(client), 60_000, 100);
    reportTime('refused after the quota', performance.now() - crossedAt, 6_000);
    await waitFor('the open connection to be gone', () => !transfer.isOpen(), 60_000);
    reportTime('open connection gone after the quota', performance.now() - crossedAt, 12_000);
    const row = await panel.api.get<{ up: number; down: number; enable: boolean }>(
      '/panel/api/clients/traffic/quota-10mb',
    );
    expect(row.enable).toBe(false);
    expect(row.up + row.down).toBeGreaterThanOrEqual(QUOTA_BYTES);
    report(`quota: ${row.up + row.down - QUOTA_BYTES} bytes more than the quota let through`);
  });

  test('a client is served until its expiry and refused afterwards', async () => {
    await setRestartOnDisable(true);
    const client = await newClient('expires-soon', { expiryTime: Date.now() + DAY_MS });
    expect(await isRefused(client)).toBe(false);
    const { client: stored } = await panel.api.get<{ client: Record<string, unknown> }>(
      '/panel/api/clients/get/expires-soon',
    );
    const expiryTime = Date.now() + 3_000;
    await panel.api.post('/panel/api/clients/update/expires-soon', { ...stored, expiryTime });
    await waitFor('refusal', () => isRefused(client), 60_000, 20);
    const afterMs = Date.now() - expiryTime;
    expect(afterMs).toBeGreaterThan(0);
    reportTime('refused after the expiry', afterMs, 1_000);
  });

  test('with the restart setting off, others run on through an expiry: same core, no stall', async () => {
    await setRestartOnDisable(false);
    const steady = await newClient('steady-1');
    const transfer = await steady.stream(`${site.url}/drip/1000000`);
    const pid = await corePid();
    const client = await newClient('expires-quietly', { expiryTime: Date.now() + 3_000 });
    await waitFor('refusal', () => isRefused(client), 60_000, 50);
    await readingAfter('steady-1');
    expect(transfer.isOpen()).toBe(true);
    expect(await corePid()).toBe(pid);
    reportTime('longest gap of another transfer', transfer.longestGapMs(), STALL_MS);
    transfer.abort();
  });

  test('a disable by hand never restarts the core, whatever the setting', async () => {
    await setRestartOnDisable(true);
    const steady = await newClient('steady-2');
    const transfer = await steady.stream(`${site.url}/drip/1000000`);
    const pid = await corePid();
    const client = await newClient('switched-off');
    expect(await isRefused(client)).toBe(false);
    const { client: stored } = await panel.api.get<{ client: Record<string, unknown> }>(
      '/panel/api/clients/get/switched-off',
    );
    await panel.api.post('/panel/api/clients/update/switched-off', { ...stored, enable: false });
    expect(await isRefused(client)).toBe(true);
    await readingAfter('steady-2');
    expect(await corePid()).toBe(pid);
    expect(transfer.isOpen()).toBe(true);
    reportTime('longest gap of another transfer', transfer.longestGapMs(), STALL_MS);
    transfer.abort();
  });
});
