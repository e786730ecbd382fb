import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Worker, isMainThread } from 'node:worker_threads';
import autocannon from 'autocannon';
import { freePort } from '../src-server/testing/free-port.ts';
import { openStore } from '../src-server/store/open-store.ts';
import { figure, rate } from './figures.ts';
import { inFolder, QUIET, withPanel } from './measured-panel.ts';
import { seedClients, spreadOver } from './seed.ts';

const SIZES = [1_000, 50_000, 100_000];
const FORMATS = [
  { name: 'raw', path: '/sub/', leastPerSecond: 6_000 },
  { name: 'JSON', path: '/json/', leastPerSecond: 4_000 },
  { name: 'YAML', path: '/yaml/', leastPerSecond: 4_000 },
] as const;
/** Clients fetched in turn, spread over all of them. */
const FETCHED = 2_000;
const CONNECTIONS = 50;
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 5);

/**
 * Subscriptions in every format, with the load generator on the same machine; for comparison a server of one constant
 * string, which is the most this machine can answer.
 */
export async function subscriptions(sizes: readonly number[] = SIZES): Promise<void> {
  await constantString();
  for (const size of sizes) for (const inbounds of [1, 20]) await atSize(size, inbounds);
}

async function atSize(size: number, inbounds: number): Promise<void> {
  await inFolder(async (dataDir) => {
    const { uuids } = await seedClients(dataDir, size, await freePort());
    if (inbounds > 1) await spreadOver(dataDir, inbounds, inbounds);
    await switchFormatsOn(dataDir);
    await withPanel({ dataDir }, async (panel) => {
      for (const { name, path, leastPerSecond } of FORMATS) {
        // A target is stated only for 50,000.
        const least = size === 50_000 && inbounds === 1 ? leastPerSecond : null;
        const paths = pathsOf(uuids, Math.min(size, FETCHED), path);
        await load(`${name}, ${size} clients, ${inbounds} inbound(s)`, panel.ready.sub, paths, least);
      }
    });
  });
}

/** Subscriptions of `count` clients, spread over all of them. */
export const pathsOf = (uuids: readonly string[], count: number, path = '/sub/'): string[] =>
  Array.from(
    { length: count },
    (_, i) => path + (uuids[Math.floor((i * uuids.length) / count)] ?? '').replaceAll('-', ''),
  );

async function switchFormatsOn(dataDir: string): Promise<void> {
  const store = await openStore({ dataDir, clock: Date.now, log: QUIET });
  await store.write(async (trx) => {
    const values = ['subJsonEnable', 'subYamlEnable'].map((key) => ({ key, value: 'true' }));
    await trx.insertInto('settings').values(values).execute();
  });
  await store.close();
}

export async function load(
  name: string,
  url: string,
  paths: readonly string[],
  leastPerSecond: number | null,
): Promise<void> {
  const run = (duration: number) =>
    autocannon({ url, connections: CONNECTIONS, duration, requests: paths.map((path) => ({ path })) });
  await run(1);
  const result = await run(SECONDS);
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${name}: ${result.non2xx} refusals`);
  rate(`${name}: answers`, result.requests.average, '/s', leastPerSecond);
  figure(`${name}: p50`, result.latency.p50, 'ms', null);
  figure(`${name}: p99`, result.latency.p99, 'ms', leastPerSecond === null || leastPerSecond < 4_000 ? null : 20);
}

async function constantString(): Promise<void> {
  const worker = new Worker(new URL(import.meta.url));
  const url = await new Promise<string>((resolve) => worker.once('message', resolve));
  await load('a constant string', url, ['/'], null);
  await worker.terminate();
}

if (!isMainThread) {
  const { parentPort } = await import('node:worker_threads');
  const server = createServer((_request, response) => void response.end('constant'));
  server.listen(0, '127.0.0.1', () =>
    parentPort?.postMessage(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
  );
}
