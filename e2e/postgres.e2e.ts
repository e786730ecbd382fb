import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { coresOf } from './harness/core-figures.ts';
import { adminWith, refusedStart } from './harness/panel-process.ts';
import { startPair, type StandingPair } from './harness/standing-pair.ts';
import { startTrafficAndWrites, type TrafficAndWrites } from './harness/traffic-and-writes.ts';
import { waitFor } from './harness/wait-for.ts';

let pair: StandingPair;
let scene: TrafficAndWrites;
beforeAll(async () => {
  pair = await startPair();
  scene = await startTrafficAndWrites({ database: pair.url });
});
afterAll(async () => {
  await scene.close();
  await pair.stop();
});

const moves = async (): Promise<void> => {
  const before = scene.receivedBytes();
  await waitFor('traffic through the core', () => scene.receivedBytes() > before + 1_000_000);
};

test('a panel on PostgreSQL outlives its server, its own death, both at once, and the promotion of a replica: nothing acknowledged is lost, nothing counted twice', async () => {
  const { core } = await scene.status();
  await waitFor('writes', () => scene.acknowledged.length > 5);
  await pair.primary().crash();
  const refused = await waitFor('a refusal', async () => {
    const answer = await fetch(new URL('panel/api/server/status', scene.panel.url), {
      headers: { authorization: 'Bearer anything' },
    });
    return answer.status === 503 && ((await answer.json()) as { error: { code: string } });
  });
  expect(refused.error.code).toBe('store.away');
  await moves();
  await pair.primary().restart();
  await waitFor('the panel by itself', async () => (await scene.status()).core.pid === core.pid);
  expect((await scene.status()).appStats.pid).toBe(scene.panel.ready.pid);

  // One panel at a time.
  const folder = await mkdtemp(join(tmpdir(), 'switchyard-e2e-'));
  const second = await refusedStart({ dataDir: folder, database: pair.primary().url('postgres') });
  expect(second.code).toBe(78);
  expect(second.stderr).toContain('The panel cannot start: Another panel uses this database.');
  await rm(folder, { recursive: true });

  await scene.killPanel();
  const alone = await scene.status();
  await pair.primary().crash();
  process.kill(alone.appStats.pid, 'SIGKILL');
  await moves();
  await pair.primary().restart();
  await waitFor('the next panel', async () => (await scene.status()).appStats.pid !== alone.appStats.pid);
  await waitFor('its core', async () => (await scene.status()).core.state === 'running');
  expect(await coresOf(scene.panel.dataDir)).toEqual([(await scene.status()).core.pid]);

  // Another server takes the place of the one that is lost.
  const written = scene.acknowledged.length;
  await pair.failOver();
  await waitFor('writes after a promotion', () => scene.acknowledged.length > written);
  await moves();
  await scene.settle();

  // Back into the data folder, with everything.
  expect(await scene.panel.stop()).toBe(0);
  const env = { DATABASE_URL: pair.url };
  // It may find things to do on this machine, and says so with its exit code.
  const told = await adminWith(env, scene.panel.dataDir, 'doctor').catch((error: { stdout: string }) => error.stdout);
  expect(told).toContain('The journal is whole');
  const moved = JSON.parse(await adminWith(env, scene.panel.dataDir, 'migrate', '--to', 'file')) as { rows: number };
  expect(moved.rows).toBeGreaterThan(scene.acknowledged.length);
  const owner = new Client(pair.primary().url('postgres'));
  await owner.connect();
  await owner.query('CREATE DATABASE second TEMPLATE template0');
  await owner.end();
  const again = await adminWith({}, scene.panel.dataDir, 'migrate', '--to', pair.primary().url('second'));
  expect(JSON.parse(again)).toMatchObject({ rows: moved.rows });
});
