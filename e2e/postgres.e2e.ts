import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { coresOf } from './harness/core-figures.ts';
import { adminWith } from './harness/panel-process.ts';
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

test('PostgreSQL: through kills and a promotion no acknowledged write is lost, nothing counted twice', async () => {
  const { core } = await scene.status();
  await waitFor('writes', () => scene.acknowledged.length > 5);
  await pair.primary().crash();
  const refused = await waitFor('a refusal', async () => {
    const response = await fetch(new URL('panel/api/server/status', scene.panel.url), {
      headers: { authorization: 'Bearer anything' },
    });
    return response.status === 503 && ((await response.json()) as { error: { code: string } });
  });
  expect(refused.error.code).toBe('store.away');
  await moves();
  await pair.primary().restart();
  await waitFor('the panel by itself', async () => (await scene.status()).core.pid === core.pid);
  expect((await scene.status()).appStats.pid).toBe(scene.panel.ready.pid);

  await scene.killPanel();
  const alone = await scene.status();
  await pair.primary().crash();
  process.kill(alone.appStats.pid, 'SIGKILL');
  await moves();
  await pair.primary().restart();
  await waitFor('the next panel', async () => (await scene.status()).appStats.pid !== alone.appStats.pid);
  await waitFor('its core', async () => (await scene.status()).core.state === 'running');
  expect(await coresOf(scene.panel.dataDir)).toEqual([(await scene.status()).core.pid]);

  // Another server replaces the lost one.
  await pair.failOver();
  // A write that was under way when the server was lost may have been acknowledged before.
  const written = scene.acknowledged.length;
  await waitFor('writes after a promotion', () => scene.acknowledged.length > written);
  await moves();
  await scene.settle();

  // Back into the data folder, with all data.
  expect(await scene.panel.stop()).toBe(0);
  const env = { DATABASE_URL: pair.url };
  // It may report problems of this machine by its exit code.
  const printed = await adminWith(env, scene.panel.dataDir, 'doctor').catch(
    (error: { stdout: string }) => error.stdout,
  );
  expect(printed).toContain('The journal is whole');
  const moved = JSON.parse(await adminWith(env, scene.panel.dataDir, 'migrate', '--to', 'file')) as { rows: number };
  expect(moved.rows).toBeGreaterThan(scene.acknowledged.length);
  const owner = new Client(pair.primary().url('postgres'));
  await owner.connect();
  await owner.query('CREATE DATABASE second TEMPLATE template0');
  await owner.end();
  const again = await adminWith({}, scene.panel.dataDir, 'migrate', '--to', pair.primary().url('second'));
  expect(JSON.parse(again)).toMatchObject({ rows: moved.rows });
});
