import { rm } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import autocannon from 'autocannon';
import { Client } from 'pg';
import { freePort } from '../../src-server/testing/free-port.ts';
import { newDataDir, startSubscriptions, type SubscriptionProcess } from '../../e2e/harness/panel-process.ts';
import { startCluster, type Cluster } from '../../src-server/testing/postgres/cluster.ts';
import { figure, rate } from '../figures.ts';
import { cpuSecondsOf } from '../process-family.ts';
import { seedOnServer } from '../seed-server.ts';
import { pathsOf } from '../subscriptions.ts';

/** Fewer on a busy machine: `BENCH_CLIENTS=10000 npm run bench -- postgres-subscriptions`. */
const SIZE = Number(process.env['BENCH_CLIENTS'] ?? 100_000);
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 5);
/** Clients whose subscriptions are fetched in turn. */
const FETCHED = 2_000;
const CONNECTIONS = 50;
const SETTINGS = ['shared_buffers=256MB', 'jit=off', 'autovacuum=on'];

/**
 * Raw subscriptions from one process that serves nothing else, then from two, with PostgreSQL and the load generator on
 * the same machine. The processor time per response of each of the three shows which of them was the limit.
 */
export async function subscriptionServers(): Promise<void> {
  const cluster = await startCluster(SETTINGS);
  const dataDir = await newDataDir();
  const database = cluster.url('postgres');
  const servers: SubscriptionProcess[] = [];
  try {
    const { uuids } = await seedOnServer(dataDir, SIZE, 1, await freePort(), database);
    const paths = pathsOf(uuids, FETCHED);
    const env = { DATABASE_URL: database };
    servers.push(await startSubscriptions(join(dataDir, 'none'), env));
    const one = await load('one process', cluster, servers, paths, 3_000);
    servers.push(await startSubscriptions(join(dataDir, 'none'), env));
    const two = await load('two processes', cluster, servers, paths, null);
    // One process, the server and the load generator keep two cores busy.
    rate(
      'subscription servers: two of one',
      two.perSecond / one.perSecond,
      'times',
      availableParallelism() < 4 ? null : 1.8,
    );
    const dearer = two.processorUs / one.processorUs;
    figure('subscription servers: an answer of one of two, of one alone', dearer, 'times', 1.1);
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
    await rm(dataDir, { recursive: true, force: true });
    await cluster.stop();
  }
}

/** @returns responses per second of all of them, and the cost of one to its process */
async function load(
  name: string,
  cluster: Cluster,
  servers: readonly SubscriptionProcess[],
  paths: readonly string[],
  least: number | null,
): Promise<{ perSecond: number; processorUs: number }> {
  const run = (duration: number) =>
    Promise.all(
      servers.map(({ url }) =>
        autocannon({
          url,
          connections: CONNECTIONS / servers.length,
          duration,
          requests: paths.map((path) => ({ path })),
        }),
      ),
    );
  await run(2);
  const backends = await backendsOf(cluster);
  const spent = (): Record<'process' | 'PostgreSQL' | 'load generator', number> => {
    const { user, system } = process.cpuUsage();
    return {
      process: sum(servers.map(({ pid }) => cpuSecondsOf(pid))),
      PostgreSQL: sum(backends.map(cpuSecondsOf)),
      'load generator': (user + system) / 1e6,
    };
  };
  const before = spent();
  const results = await run(SECONDS);
  const after = spent();
  const refused = sum(results.map(({ non2xx, errors }) => non2xx + errors));
  if (refused > 0) throw new Error(`${name}: ${refused} refusals`);
  const responses = sum(results.map(({ requests }) => requests.total));
  const perSecond = sum(results.map(({ requests }) => requests.average));
  const label = `subscription servers, ${SIZE} clients on PostgreSQL, ${name}`;
  rate(`${label}: raw`, perSecond, '/s', least);
  figure(`${label}: p99`, Math.max(...results.map(({ latency }) => latency.p99)), 'ms', null);
  const costUs = (part: keyof typeof before): number => ((after[part] - before[part]) / responses) * 1e6;
  for (const part of ['process', 'PostgreSQL', 'load generator'] as const)
    figure(`${label}: an answer of ${part}`, costUs(part), 'µs', null);
  return { perSecond, processorUs: costUs('process') };
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** Server processes that handle connections. */
async function backendsOf(cluster: Cluster): Promise<number[]> {
  const client = new Client(cluster.url('postgres'));
  await client.connect();
  const { rows } = await client.query(
    `SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()`,
  );
  await client.end();
  return (rows as { pid: number }[]).map(({ pid }) => pid);
}
