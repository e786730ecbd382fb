import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CoreClient } from './harness/core-client.ts';
import { freePort } from './harness/free-port.ts';
import { allowPrivateEgress } from './harness/open-egress.ts';
import { disposePanel, startPanel, type PanelProcess } from './harness/panel-process.ts';
import { report } from './harness/report.ts';
import { startTargetServer, type TargetServer } from './harness/target-server.ts';
import { isServed } from './harness/vless-request.ts';
import { waitFor } from './harness/wait-for.ts';
import { addVlessInbound, connectVless } from './harness/vless-inbound.ts';

const MANY = 1_000;
const AT_ONCE = 100;

describe('many clients in one call', () => {
  let panel: PanelProcess;
  let site: TargetServer;
  let port: number;
  let bystander: CoreClient;
  const clients = Array.from({ length: MANY }, (_, at) => ({ email: `many-${at}`, id: randomUUID() }));

  beforeAll(async () => {
    panel = await startPanel();
    site = await startTargetServer();
    await allowPrivateEgress(panel.api);
    port = await freePort();
    await addVlessInbound(panel.api, {
      remark: 'many',
      port,
      settings: { decryption: 'none', clients: [{ email: 'bystander', id: randomUUID() }] },
    });
    bystander = await connectVless(panel.api, port, 'bystander');
  });
  afterAll(async () => {
    await bystander.close();
    await disposePanel(panel);
    await site.close();
  });

  const sitePort = (): number => Number(new URL(site.url).port);
  async function corePid(): Promise<number | null> {
    return (await panel.api.get<{ core: { pid: number | null } }>('/panel/api/server/status')).core.pid;
  }
  async function servedAmong(ids: readonly string[]): Promise<number> {
    let served = 0;
    let next = 0;
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        while (next < ids.length) if (await isServed(port, ids[next++]!, sitePort())) served++;
      }),
    );
    return served;
  }

  test('connect at once without a restart of the core; half of them switched off are refused, others run on', async () => {
    const pid = await corePid();
    const transfer = await bystander.stream(`${site.url}/drip/200000`);
    await waitFor('the transfer to run', () => transfer.receivedBytes() > 0);

    const created = await panel.api.post<{ created: number }>(
      '/panel/api/clients/bulkCreate',
      clients.map((client) => ({ client, inboundIds: [1] })),
    );
    expect(created).toMatchObject({ created: MANY, skipped: [] });
    expect(await servedAmong(clients.map(({ id }) => id))).toBe(MANY);

    const off = clients.slice(0, MANY / 2);
    const disabledAt = performance.now();
    await panel.api.post('/panel/api/clients/bulkDisable', { emails: off.map(({ email }) => email) });
    report(`bulkDisable of 500 answered after ${Math.round(performance.now() - disabledAt)} ms`);
    // The answer waits for the core, so the first connection after it is refused already.
    expect(await servedAmong(off.map(({ id }) => id))).toBe(0);
    expect(await servedAmong(clients.slice(MANY / 2).map(({ id }) => id))).toBe(MANY / 2);

    expect(transfer.isOpen()).toBe(true);
    transfer.abort();
    expect(await corePid()).toBe(pid);
  });
});
