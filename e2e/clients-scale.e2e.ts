import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { forAllTests } from '../src-server/testing/for-each-test.ts';
import { report } from './harness/report.ts';
import { startServingPanel } from './harness/serving-panel.ts';
import { isServed } from './harness/core/vless-request.ts';
import { waitFor } from './harness/wait-for.ts';

const MANY = 1_000;
const AT_ONCE = 100;

describe('many clients in one call', () => {
  const serving = forAllTests(() => startServingPanel());
  const clients = Array.from({ length: MANY }, (_, at) => ({ email: `many-${at}`, id: randomUUID() }));

  async function servedAmong(ids: readonly string[]): Promise<number> {
    const sitePort = Number(new URL(serving.site.url).port);
    let served = 0;
    let next = 0;
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        while (next < ids.length) if (await isServed(serving.port, ids[next++]!, sitePort)) served++;
      }),
    );
    return served;
  }

  test('connect at once without a core restart; half of them, disabled, are refused, the others go on', async () => {
    const pid = await serving.corePid();
    const bystander = await serving.newClient('bystander');
    const transfer = await bystander.stream(`${serving.site.url}/drip/200000`);
    await waitFor('the transfer to run', () => transfer.receivedBytes() > 0);

    const created = await serving.panel.api.post<{ created: number }>(
      '/panel/api/clients/bulkCreate',
      clients.map((client) => ({ client, inboundIds: [serving.inboundId] })),
    );
    expect(created).toMatchObject({ created: MANY, skipped: [] });
    expect(await servedAmong(clients.map(({ id }) => id))).toBe(MANY);

    const off = clients.slice(0, MANY / 2);
    const disabledAt = performance.now();
    await serving.panel.api.post('/panel/api/clients/bulkDisable', { emails: off.map(({ email }) => email) });
    report(`bulkDisable of 500 answered after ${Math.round(performance.now() - disabledAt)} ms`);
    // The response waits for the core, so even the first connection after it is refused.
    expect(await servedAmong(off.map(({ id }) => id))).toBe(0);
    expect(await servedAmong(clients.slice(MANY / 2).map(({ id }) => id))).toBe(MANY / 2);

    expect(transfer.isOpen()).toBe(true);
    transfer.abort();
    expect(await serving.corePid()).toBe(pid);
  });
});
