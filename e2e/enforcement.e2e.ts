import { describe, expect, test } from 'vitest';
import { forAllTests } from '../src-server/testing/for-each-test.ts';
import { report, reportTime } from './harness/report.ts';
import { startServingPanel } from './harness/serving-panel.ts';
import { waitFor } from './harness/wait-for.ts';

const DAY_MS = 86_400_000;
const QUOTA_BYTES = 10_000_000;
/** A core restart ends a transfer; a mere stall is judged by its length, with tolerance for a busy machine. */
const STALL_MS = 500;

describe('quota, expiry and disabling', () => {
  const serving = forAllTests(() => startServingPanel({}, { remark: 'enforced' }));

  const setRestartOnDisable = (on: boolean): Promise<unknown> =>
    serving.panel.api.post('/panel/api/setting/update', { restartCoreOnClientDisable: on });

  test('a client over its quota is refused, and its open connection is closed', async () => {
    await setRestartOnDisable(true);
    const client = await serving.newClient('quota-10mb', { totalGB: QUOTA_BYTES });
    const transfer = await client.stream(`${serving.site.url}/drip/2000000`);
    await waitFor('the quota to be crossed', () => transfer.receivedBytes() >= QUOTA_BYTES, 20_000, 10);
    const crossedAt = performance.now();
    await waitFor('new connections refused', () => serving.isRefused(client), 60_000, 100);
    reportTime('refused after the quota', performance.now() - crossedAt, 6_000);
    await waitFor('the open connection to be gone', () => !transfer.isOpen(), 60_000);
    reportTime('open connection gone after the quota', performance.now() - crossedAt, 12_000);
    const row = await serving.traffic('quota-10mb');
    expect(row.enable).toBe(false);
    expect(row.up + row.down).toBeGreaterThanOrEqual(QUOTA_BYTES);
    report(`quota: ${row.up + row.down - QUOTA_BYTES} bytes more than the quota let through`);
  });

  test('a client is served until its expiry and refused afterwards', async () => {
    await setRestartOnDisable(true);
    const client = await serving.newClient('expires-soon', { expiryTime: Date.now() + DAY_MS });
    expect(await serving.isRefused(client)).toBe(false);
    const { client: stored } = await serving.panel.api.get<{ client: Record<string, unknown> }>(
      '/panel/api/clients/get/expires-soon',
    );
    const expiryTime = Date.now() + 3_000;
    await serving.panel.api.post('/panel/api/clients/update/expires-soon', { ...stored, expiryTime });
    await waitFor('refusal', () => serving.isRefused(client), 60_000, 20);
    const afterMs = Date.now() - expiryTime;
    expect(afterMs).toBeGreaterThan(0);
    reportTime('refused after the expiry', afterMs, 1_000);
  });

  test('with the restart setting off, others go on through an expiry: same core, no stall', async () => {
    await setRestartOnDisable(false);
    const steady = await serving.newClient('steady-1');
    const transfer = await steady.stream(`${serving.site.url}/drip/1000000`);
    const pid = await serving.corePid();
    const client = await serving.newClient('expires-quietly', { expiryTime: Date.now() + 3_000 });
    await waitFor('refusal', () => serving.isRefused(client), 60_000, 50);
    await serving.countedTwice('steady-1');
    expect(transfer.isOpen()).toBe(true);
    expect(await serving.corePid()).toBe(pid);
    reportTime('longest gap of another transfer', transfer.longestGapMs(), STALL_MS);
    transfer.abort();
  });

  test('disabling by hand never restarts the core, whatever the setting', async () => {
    await setRestartOnDisable(true);
    const steady = await serving.newClient('steady-2');
    const transfer = await steady.stream(`${serving.site.url}/drip/1000000`);
    const pid = await serving.corePid();
    const client = await serving.newClient('switched-off');
    expect(await serving.isRefused(client)).toBe(false);
    const { client: stored } = await serving.panel.api.get<{ client: Record<string, unknown> }>(
      '/panel/api/clients/get/switched-off',
    );
    await serving.panel.api.post('/panel/api/clients/update/switched-off', { ...stored, enable: false });
    expect(await serving.isRefused(client)).toBe(true);
    await serving.countedTwice('steady-2');
    expect(await serving.corePid()).toBe(pid);
    expect(transfer.isOpen()).toBe(true);
    reportTime('longest gap of another transfer', transfer.longestGapMs(), STALL_MS);
    transfer.abort();
  });
});
