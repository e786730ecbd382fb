import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { API_TOKEN } from '../../../testing/credentials.ts';
import { openPanel, type TestPanel } from '../../../testing/panels/open-panel.ts';
import { giveBack, takeAway } from '../../../testing/postgres/databases.ts';

const list = (panel: TestPanel): Promise<Response> =>
  fetch(new URL('panel/api/clients/list/paged', panel.app.panel.url), {
    headers: { authorization: `Bearer ${API_TOKEN}` },
  });

async function comeBack(panel: TestPanel): Promise<void> {
  await giveBack(panel.dataDir);
  await expect.poll(async () => (await list(panel)).status, { timeout: 20_000 }).toBe(200);
}

async function counted(panel: TestPanel): Promise<[number, number]> {
  const { rows } = await sql<{ up: number; down: number }>`
    SELECT sum(upBytes) AS up, sum(downBytes) AS down FROM trafficLedger`.execute(panel.store.reader);
  const state = await panel.state('a');
  expect([state?.upBytes, state?.downBytes]).toEqual([rows[0]?.up, rows[0]?.down]);
  return [rows[0]!.up, rows[0]!.down];
}

test('without its database the panel refuses requests, the core keeps running, and every byte is booked once', async () => {
  const panel = await openPanel();
  const { core } = panel;
  await panel.add({ email: 'a' }, [await panel.inbound(20_443)]);
  core.start();
  core.move('users', 'a', 100, 1_000);
  await panel.tick();
  core.move('users', 'a', 10, 20);
  await takeAway(panel.dataDir);
  await expect.poll(async () => (await list(panel)).status).toBe(503);
  const response = await list(panel);
  expect([response.headers.get('x-error-code'), response.headers.get('retry-after')]).toEqual(['store.away', '2']);
  expect(await response.json()).toMatchObject({ success: false, error: { code: 'store.away', params: {} } });
  expect((await panel.fetchSub('/sub/anything')).status).toBe(503);
  await panel.tick();
  // Two cores end meanwhile: one after a final reading, one unexpectedly after a reading.
  core.move('users', 'a', 1, 2);
  await core.restart();
  core.move('users', 'a', 5, 50);
  await panel.tick();
  core.crash();
  core.start();
  core.move('users', 'a', 7, 70);
  await panel.tick();
  await comeBack(panel);
  await panel.tick();
  await panel.tick();
  expect(await counted(panel)).toEqual([123, 1_142]);

  // The panel ends while the database is unreachable: the next one books what was left.
  await takeAway(panel.dataDir);
  await expect.poll(async () => (await list(panel)).status).toBe(503);
  core.move('users', 'a', 1_000, 2_000);
  await panel.app.close();
  const note = join(panel.dataDir, 'unbooked-counters.json');
  expect(existsSync(note)).toBe(true);
  await giveBack(panel.dataDir);
  const next = await openPanel({ dataDir: panel.dataDir });
  next.core.start();
  await next.tick();
  expect(await counted(next)).toEqual([1_123, 3_142]);
  await expect.poll(() => existsSync(note)).toBe(false);
  await next.close();
});

test('a change whose answer was lost with the database reaches the core when it is back', async () => {
  const panel = await openPanel();
  const inboundId = await panel.inbound(20_443);
  await panel.add({ email: 'a' }, [inboundId]);
  expect(panel.core.users(inboundId)).toEqual(['a']);
  panel.write(`UPDATE clientStates SET enable = 0, disabledBy = 'admin'`);
  await takeAway(panel.dataDir);
  await expect.poll(async () => (await list(panel)).status).toBe(503);
  await comeBack(panel);
  await expect.poll(() => panel.core.users(inboundId)).toEqual([]);
  await panel.close();
});
