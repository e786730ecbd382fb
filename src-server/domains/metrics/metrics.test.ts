import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createEventBus, type PanelEvent } from '../../contract/events.ts';
import { manualSchedule, type ManualSchedule } from '../../testing/manual-schedule.ts';
import { serveRoutes, type ServedRoutes } from '../../testing/peers/serve-routes.ts';
import { openTestStore } from '../../testing/test-store.ts';
import type { ServerStatus } from '../server/contract.ts';
import { CORE_METRICS, SYSTEM_METRICS } from './contract.ts';
import { createCoreMetrics } from './core-metrics.ts';
import { createKeptSamples } from './kept-samples.ts';
import { createObservatory } from './observatory.ts';
import { createSampleRepository } from './repository.ts';
import { metricsRoutes } from './routes.ts';
import { createSampleRing } from './sample-ring.ts';
import { createMetricsService, type MetricsService } from './service.ts';
import { texts } from './texts.ts';

const BASE = '/panel/api/server';
const TEXTS = { ...texts, 'request.invalid': 'request body failed validation' };

let opened: Awaited<ReturnType<typeof openTestStore>>;
let time: ManualSchedule;
let metrics: MetricsService;
let panel: ServedRoutes;
let events: PanelEvent[];
/** Response of the core's metrics listener; null = status 500. */
let vars: unknown;
let running: boolean;
let templateListen: string;
let listen: string;
let threshold: number;

/** Connections used for readings. */
const connections = new Set<Socket>();
const core = createServer((request, response) => {
  connections.add(request.socket);
  if (vars === null) response.writeHead(500).end();
  else response.end(typeof vars === 'string' ? vars : JSON.stringify(vars));
});

async function assemble(): Promise<void> {
  const { publish, subscribe } = createEventBus((error) => {
    throw error;
  });
  subscribe((event) => events.push(event));
  const repository = createSampleRepository(opened.store);
  const kept = { repository, clock: time.clock, schedule: time.schedule, log: time.log };
  const coreSamples = createKeptSamples({ kind: 'core', keys: CORE_METRICS, ...kept });
  const observatory = createObservatory({ threshold: () => threshold, publish });
  metrics = createMetricsService({
    system: createKeptSamples({ kind: 'system', keys: SYSTEM_METRICS, ...kept }),
    core: coreSamples,
    coreMetrics: createCoreMetrics({
      runningListen: () => (running ? listen : null),
      templateListen: async () => templateListen,
      samples: coreSamples,
      observatory,
      clock: time.clock,
      schedule: time.schedule,
      monotonicMs: time.clock,
    }),
    observatory,
    onlineCount: () => 3,
    clock: time.clock,
  });
  await metrics.start();
  panel = await serveRoutes((ctx) => metricsRoutes(ctx, metrics), TEXTS);
}

beforeEach(async () => {
  time = manualSchedule(1_700_000_000_000);
  opened = await openTestStore(time.clock);
  events = [];
  vars = { memstats: {} };
  running = true;
  threshold = 3;
  connections.clear();
  await new Promise<void>((done) => core.listen(0, '127.0.0.1', done));
  listen = `127.0.0.1:${(core.address() as AddressInfo).port}`;
  templateListen = listen;
  await assemble();
});
afterEach(async () => {
  await panel.close();
  await time.schedule.close();
  core.closeAllConnections();
  await new Promise((done) => core.close(done));
  await opened.dispose();
});

const status = (cpu: number, more: Partial<ServerStatus> = {}): ServerStatus =>
  ({
    cpu,
    mem: { current: 25, total: 100 },
    swap: { current: 0, total: 0 },
    disk: { current: 0, total: 0 },
    diskIO: { read: 1, write: 2 },
    netIO: { up: 3, down: 4, pktUp: 5, pktDown: 6 },
    load: { load1: 0.5, load5: 0.25, load15: 0.1 },
    tcpCount: 7,
    udpCount: 8,
    core: { state: 'running' },
    ...more,
  }) as ServerStatus;

const read = async (path: string): Promise<unknown> => (await panel.get(`${BASE}/${path}`)).obj;

describe('histories of the machine', () => {
  it('returns means of groups that start at multiples of the bucket, without filling gaps', async () => {
    expect(await read('history/cpu/2')).toEqual([]);
    metrics.sample(status(10));
    await time.advance(2_000);
    metrics.sample(status(20));
    await time.advance(60_000);
    metrics.sample(status(60));
    expect(await read('history/cpu/60')).toEqual([
      { t: 1_699_999_980, v: 15 },
      { t: 1_700_000_040, v: 60 },
    ]);
    expect(await read('cpuHistory/60')).toEqual([
      { t: 1_699_999_980, cpu: 15 },
      { t: 1_700_000_040, cpu: 60 },
    ]);
    expect(await read('history/mem/300')).toEqual([{ t: 1_699_999_800, v: 25 }]);
    expect(await read('history/online/300')).toEqual([{ t: 1_699_999_800, v: 3 }]);
    expect(await read('histories/300?metrics=mem,online')).toEqual({
      mem: [{ t: 1_699_999_800, v: 25 }],
      online: [{ t: 1_699_999_800, v: 3 }],
    });
    // No disk was found, and no swap is 0 percent.
    expect(await read('history/diskUsage/300')).toEqual([]);
    expect(await read('history/swap/300')).toEqual([{ t: 1_699_999_800, v: 0 }]);
  });

  it.each([2, 30, 60, 120, 180, 300])('covers sixty groups of %i seconds', async (bucket) => {
    running = false;
    for (let group = 0; group < 70; group++) {
      metrics.sample(status(group));
      time.jumpClock(bucket * 1000);
    }
    const points = (await read(`history/cpu/${bucket}`)) as { t: number; v: number }[];
    expect(points.length).toBeGreaterThanOrEqual(59);
    expect(points.length).toBeLessThanOrEqual(60);
    expect(points.every(({ t }) => t % bucket === 0)).toBe(true);
    expect(points.at(-1)?.v).toBe(69);
  });

  it.each([
    ['history/none/60', 'invalid metric (unknown metric)'],
    ['history/none/61', 'invalid metric (unknown metric)'],
    ['history/__proto__/60', 'invalid metric (unknown metric)'],
    ['history/cpu/360', 'invalid bucket (unsupported bucket)'],
    ['history/cpu/0', 'invalid bucket (unsupported bucket)'],
    ['history/cpu/-2', 'invalid bucket (unsupported bucket)'],
    ['history/cpu/2.0', 'invalid bucket (unsupported bucket)'],
    ['history/cpu/x', 'invalid bucket (unsupported bucket)'],
    ['histories/60?metrics=cpu,none', 'invalid metric (unknown metric)'],
    ['histories/61?metrics=cpu', 'invalid bucket (unsupported bucket)'],
    ['cpuHistory/1', 'invalid bucket (unsupported bucket)'],
    ['coreMetricsHistory/cpu/60', 'invalid metric (unknown metric)'],
    ['coreMetricsHistory/xrAlloc/61', 'invalid bucket (unsupported bucket)'],
    ['coreObservatoryHistory/a/60', 'invalid tag (unknown observatory tag)'],
  ])('%s: %s', async (path, msg) => {
    expect(await panel.get(`${BASE}/${path}`)).toMatchObject({ success: false, msg });
  });

  it('survives a restart, an unreadable row and an overfull table', async () => {
    metrics.sample(status(42));
    await time.advance(60_000);
    metrics.sample(status(44));
    await metrics.close();
    await opened.store.write(async (trx) => {
      const row = { kind: 'system' as const, samples: '{"at":' };
      await trx
        .insertInto('metricSamples')
        .values({ ...row, firstAtSec: 1 })
        .execute();
      const many = Array.from({ length: 900 }, (_, index) => ({
        kind: 'system' as const,
        firstAtSec: 10 + index,
        samples: JSON.stringify({ at: Array(50).fill(5), values: { cpu: Array(50).fill(1), gone: [1] } }),
      }));
      await trx.insertInto('metricSamples').values(many).execute();
    });
    await panel.close();
    await assemble();
    await time.advance(1_000);
    metrics.sample(status(46));
    await time.advance(60_000);
    const rows = await opened.store.reader.selectFrom('metricSamples').selectAll().execute();
    expect(rows.length).toBeLessThanOrEqual(401);
    expect(time.log.lines.filter(({ event }) => event === 'metrics.unreadable').length).toBe(1);
  });

  it('returns the same values after a restart', async () => {
    metrics.sample(status(42));
    await time.advance(60_000);
    metrics.sample(status(44));
    await time.advance(2_000);
    const before = [await read('history/cpu/60'), await read('history/mem/2')];
    await metrics.close();
    await panel.close();
    await assemble();
    expect([await read('history/cpu/60'), await read('history/mem/2')]).toEqual(before);
    time.jumpClock(7 * 3_600_000);
    metrics.sample(status(1));
    await time.advance(60_000);
    const rows = await opened.store.reader.selectFrom('metricSamples').select('firstAtSec').execute();
    expect(rows.filter(({ firstAtSec }) => firstAtSec < 1_700_020_000)).toEqual([]);
  });
});

it('a ring drops the oldest sample, and a clock that was set back does no harm', () => {
  const ring = createSampleRing(['a'], 3);
  for (const [at, a] of [
    [10, 1],
    [12, 2],
    [14, 3],
    [16, 4],
  ] as const)
    ring.push(at, { a });
  expect(ring.size).toBe(3);
  expect(ring.aggregate('a', 2, 16)).toEqual([
    { t: 12, v: 2 },
    { t: 14, v: 3 },
    { t: 16, v: 4 },
  ]);
  ring.push(12, { a: 6 });
  expect(ring.aggregate('a', 2, 14)).toEqual([
    { t: 12, v: 6 },
    { t: 14, v: 3 },
  ]);
});

describe('metrics of the core', () => {
  const pauses = Array.from({ length: 256 }, (_, index) => index);

  it('reads the listener every two seconds', async () => {
    vars = { memstats: { HeapAlloc: 100, Sys: 200, HeapObjects: 3, NumGC: 258, PauseNs: pauses, PauseEnd: [2 ** 60] } };
    await time.advance(2_000);
    expect(await read('coreMetricsState')).toEqual({
      enabled: true,
      listen,
      reason: '',
      keys: [...CORE_METRICS],
      values: { xrAlloc: 100, xrSys: 200, xrHeapObjects: 3, xrNumGC: 258, xrPauseNs: 1 },
    });
    expect(await read('coreMetricsHistory/xrSys/2')).toEqual([{ t: 1_700_000_002, v: 200 }]);
    await time.advance(4_000);
    expect(await read('coreMetricsHistory/xrSys/2')).toHaveLength(3);
    expect(connections.size).toBe(1);
  });

  it('stops reading where the user counters begin', async () => {
    const head = '{"cmdline":[],"memstats":{"HeapAlloc":7},"observatory":null,"stats":{"user":{';
    vars = head + '"x":1,'.repeat(2_000_000);
    await time.advance(2_000);
    expect(await read('coreMetricsState')).toMatchObject({ reason: '', values: { xrAlloc: 7 } });
  });

  it('reports why there are no values', async () => {
    vars = null;
    await time.advance(2_000);
    expect(await read('coreMetricsState')).toMatchObject({ enabled: true, reason: 'HTTP 500', keys: [], values: {} });
    vars = '{"memstats":';
    await time.advance(2_000);
    expect(await read('coreMetricsState')).toMatchObject({ reason: expect.stringContaining('JSON') });
    running = false;
    expect(await read('coreMetricsState')).toMatchObject({ enabled: true, listen, reason: 'core is not running' });
    templateListen = '';
    expect(await read('coreMetricsState')).toEqual({
      enabled: false,
      listen: '',
      reason: 'metrics block not configured in the core template',
      keys: [],
      values: {},
    });
  });
});

describe('observatory', () => {
  const alive = (at: number, delay: number) => ({
    alive: true,
    delay,
    outbound_tag: 'proxy/a b',
    last_seen_time: at,
    last_try_time: at,
  });
  const dead = (at: number) => ({
    delay: 99_999_999,
    outbound_tag: 'proxy/a b',
    last_error_reason: 'no',
    last_try_time: at,
  });
  const show = async (observatory: unknown): Promise<void> => {
    vars = { memstats: {}, observatory };
    await time.advance(2_000);
  };

  it('takes one sample per probe, never the delay value of a dead outbound', async () => {
    await show({ x: alive(1, 100) });
    await show({ x: alive(1, 100) });
    await show({ x: alive(9, 300) });
    await show({ x: dead(20) });
    const path = `coreObservatoryHistory/${encodeURIComponent('proxy/a b')}`;
    expect(await read(`${path}/2`)).toEqual([
      { t: 1_700_000_002, v: 100 },
      { t: 1_700_000_006, v: 300 },
    ]);
    expect(await panel.get(`${BASE}/${path}/7`)).toMatchObject({ msg: 'invalid bucket (unsupported bucket)' });
    expect(await read('coreObservatory')).toEqual([
      {
        tag: 'proxy/a b',
        alive: false,
        delay: 0,
        lastSeenTime: 0,
        lastTryTime: 20,
        lastError: 'no',
        updatedAt: 1_700_000_008,
      },
    ]);
  });

  it('reports an outbound as down after three failed probes, and as up only then', async () => {
    for (const at of [1, 1, 1, 1, 2]) await show({ x: dead(at) });
    expect(events).toEqual([]);
    await show({ x: dead(3) });
    await show({ x: dead(4) });
    expect(events).toEqual([{ type: 'outboundDown', tag: 'proxy/a b', delay: 0, error: 'no' }]);
    await show({ x: alive(5, 80) });
    await show({ x: alive(6, 80) });
    expect(events.slice(1)).toEqual([{ type: 'outboundUp', tag: 'proxy/a b', delay: 80 }]);
  });

  it('counts the failures of a burst observatory, which reports no times', async () => {
    threshold = 2;
    const burst = (all: number, fail: number, average: number) => ({
      b: { outbound_tag: 'b', ...(all === fail ? {} : { alive: true, delay: 5 }), health_ping: { all, fail, average } },
    });
    await show(burst(2, 0, 5_000_000));
    await show(burst(2, 0, 5_000_000));
    await show(burst(2, 2, 0));
    await show(burst(3, 3, 0));
    expect(await read('coreObservatoryHistory/b/2')).toEqual([{ t: 1_700_000_002, v: 5 }]);
    expect(events).toMatchObject([{ type: 'outboundDown', tag: 'b', error: 'probe failed' }]);
  });

  it('drops outbounds that vanished, refuses unknown tags, and shows nothing old when the core is silent', async () => {
    await show({ a: { alive: true, delay: 1, outbound_tag: 'a' }, 'b\u0007': {}, ['c'.repeat(129)]: {} });
    expect(await read('coreObservatory')).toMatchObject([{ tag: 'a' }]);
    await show({ d: { outbound_tag: '' } });
    expect(await read('coreObservatory')).toMatchObject([{ tag: 'd', alive: false }]);
    vars = null;
    await time.advance(8_000);
    expect(await read('coreObservatory')).toMatchObject([{ tag: 'd' }]);
    await time.advance(6_000);
    expect(await read('coreObservatory')).toEqual([]);
  });
});
