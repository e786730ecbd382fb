import { rm } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '../../src-server/testing/free-port.ts';
import { newDataDir, startPanel } from '../../e2e/harness/panel-process.ts';
import { startCluster } from '../../src-server/testing/postgres/cluster.ts';
import { listsAndVerbs, type ClientTargets } from '../clients.ts';
import { figure } from '../figures.ts';
import { startOnce } from '../measured-panel.ts';
import { residentMiB } from '../process-family.ts';
import { gatherAtFirst, seedOnServer } from '../seed-server.ts';
import { load, pathsOf } from '../subscriptions.ts';
import { tick } from '../tick.ts';

/** Fewer on a busy machine: `BENCH_CLIENTS=100000 npm run bench -- postgres`. */
const SIZE = Number(process.env['BENCH_CLIENTS'] ?? 1_000_000);
const INBOUNDS = 20;
/** Clients with traffic between two ticks. */
const MOVING = 50_000;
export const TARGETS: ClientTargets = {
  list: 100,
  search: 100,
  verb: 40,
  bulkCreate: 1_000,
  bulkAdjust: 1_000,
  import: 10_000,
};
/** Clients whose subscriptions are fetched in turn. */
const FETCHED = 2_000;
/** A server configured as by an operator for this many clients on this machine; commits reach the disk. */
export const SETTINGS = [
  'shared_buffers=512MB',
  'work_mem=16MB',
  'effective_cache_size=2GB',
  'autovacuum=on',
  'jit=off',
];

/** One million clients on a PostgreSQL server on the same machine. */
export async function onPostgres(): Promise<void> {
  const cluster = await startCluster(SETTINGS);
  const dataDir = await newDataDir();
  const database = cluster.url('postgres');
  const label = `${SIZE} clients on PostgreSQL, ${INBOUNDS} inbounds`;
  try {
    const seeded = await seedOnServer(dataDir, SIZE, INBOUNDS, await freePort(), database);
    const inboundIds = Array.from({ length: INBOUNDS }, (_, i) => i + 1);
    await startOnce({ dataDir, database });
    const startedAt = performance.now();
    let readyMs = Number.NaN;
    const panel = await startPanel({ dataDir, database, onReady: () => (readyMs = performance.now() - startedAt) });
    figure(`${label}: start to the first answer`, readyMs, 'ms', 3_000);
    // The core loads its users.
    await delay(30_000);
    try {
      await listsAndVerbs({ panel, label, size: SIZE, medians: new Map(), targets: TARGETS }, seeded, inboundIds);
      await load(`${label}: subscriptions`, panel.ready.sub, pathsOf(seeded.uuids, FETCHED), 3_000);
      await delay(5_000);
      figure(`${label}: memory after all of it`, residentMiB(panel.ready.pid), 'MiB', 700);
    } finally {
      await panel.stop();
    }
    // The load generator reaches only the first inbound.
    await gatherAtFirst(database, MOVING);
    await tick(dataDir, seeded, [MOVING / SIZE], { database, targetMs: 1_200 });
  } finally {
    await rm(dataDir, { recursive: true, force: true });
    await cluster.stop();
  }
}
