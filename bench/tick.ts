import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { createCore } from '../src-server/core/create-core.ts';
import { configBuilder } from '../src-server/core/config-builder.ts';
import { createTrafficService } from '../src-server/domains/traffic/service.ts';
import { createLocalRuntime } from '../src-server/runtime/local-runtime.ts';
import { createDesiredState } from '../src-server/runtime/desired-state.ts';
import { openStore } from '../src-server/store/open-store.ts';
import { createScheduler } from '../src-server/schedule/scheduler.ts';
import { coreBinary } from '../e2e/harness/core/core-binary.ts';
import { freePort } from '../src-server/testing/free-port.ts';
import { startTargetServer } from '../e2e/harness/target-server.ts';
import { figure } from './figures.ts';
import { inFolder } from './measured-panel.ts';
import { OPEN_TEMPLATE } from './open-template.ts';
import { seedClients, type Seeded } from './seed.ts';

const shout = (event: string, fields?: object): void =>
  void process.stderr.write(`${event} ${JSON.stringify(fields)}\n`);
const QUIET = { debug() {}, info() {}, warn: shout, error: shout };
const ROUNDS = 3;
const SIZES = [1_000, 10_000, 50_000, 100_000];
/** Shares of the clients that move; descending, so that the clients of a share moved in every round before. */
const SHARES = [1, 0.5, 0.01];
/** The targets are for ticks in which at most so many clients moved. */
const MAX_MOVING = 50_000;
const TICK_MS = 400;

/** Ticks at every size, with few, some and all clients moving. */
export async function ticksAtScale(sizes: readonly number[] = SIZES): Promise<void> {
  for (const size of sizes)
    await inFolder(async (dataDir) => tick(dataDir, await seedClients(dataDir, size, await freePort()), SHARES));
}

/**
 * Accounting ticks in which a share of the clients moved, or every one: each of these fetches something through the
 * real core, then a single tick reads the core, commits and enforces. The loop's own timer is off, so that no tick
 * takes away part of the traffic.
 */
export async function tick(
  dataDir: string,
  seeded: Seeded,
  shares: readonly number[] = [1],
  { database, targetMs = TICK_MS }: { database?: string; targetMs?: number } = {},
): Promise<void> {
  const store = await openStore({ dataDir, clock: Date.now, log: QUIET, ...(database !== undefined && { database }) });
  const schedule = createScheduler({ clock: Date.now, log: QUIET });
  const readTemplate = async () => JSON.parse(OPEN_TEMPLATE);
  const desired = createDesiredState(store, readTemplate);
  const core = createCore({
    dataDir,
    resourcesDir: dataDir,
    binary: coreBinary(),
    desired,
    builder: configBuilder,
    log: QUIET,
    clock: Date.now,
    schedule,
  });
  const traffic = createTrafficService({
    dataDir,
    store,
    core,
    runtime: createLocalRuntime(core, readTemplate, () => desired.framesOnly()),
    settings: { current: () => ({ restartCoreOnClientDisable: true, timeLocation: 'UTC' }) },
    recentAddresses: () => new Map(),
    panelGuid: 'bench',
    publish() {},
    hasListeners: () => true,
    clock: Date.now,
    monotonic: () => performance.now(),
    schedule,
    log: QUIET,
  });
  const site = await startTargetServer('0.0.0.0');
  await core.boot();
  await traffic.tick();
  const worker = new Worker(new URL('./move-clients.ts', import.meta.url), {
    workerData: { port: seeded.port, sitePort: Number(new URL(site.url).port), uuids: seeded.uuids },
  });
  const size = seeded.uuids.length;
  const held: number[] = [];
  let rounds = 0;
  for (const share of shares) {
    const count = Math.ceil(size * share);
    const took: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      rounds += 1;
      const done = new Promise<{ failed: number }>((resolve) => worker.once('message', resolve));
      worker.postMessage({ round, count });
      const { failed } = await done;
      if (failed > count / 100) throw new Error(`${failed} clients could not connect`);
      // The core still closes the load's connections for a moment; that is not part of the tick.
      await delay(2_000);
      const loop = monitorEventLoopDelay({ resolution: 1 });
      loop.enable();
      const startedAt = performance.now();
      await traffic.tick();
      took.push(performance.now() - startedAt);
      loop.disable();
      if (count <= MAX_MOVING) held.push(loop.max / 1e6);
    }
    const { moved } = await store.reader
      .selectFrom('clientStates')
      .select((eb) => eb.fn.countAll<number>().as('moved'))
      .where('downBytes', '>=', 200 * rounds)
      .executeTakeFirstOrThrow();
    if (moved < count * 0.99) throw new Error(`only ${moved} clients were counted in every round`);
    const name = share === 1 ? `one tick, ${size} clients moving` : `one tick, ${count} of ${size} clients moving`;
    figure(`${name} (best of ${ROUNDS})`, Math.min(...took), 'ms', count <= MAX_MOVING ? targetMs : null);
    figure(`${name} (worst of ${ROUNDS})`, Math.max(...took), 'ms', null);
  }
  figure(`longest hold of the event loop, at most ${MAX_MOVING} clients moving`, Math.max(...held), 'ms', 60);
  await worker.terminate();
  await site.close();
  await core.close();
  await traffic.close();
  await schedule.close();
  await store.close();
}
