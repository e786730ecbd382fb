import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '../../src-server/testing/free-port.ts';
import { startCluster } from '../../src-server/testing/postgres/cluster.ts';
import { listsAndVerbs } from '../clients.ts';
import { figure } from '../figures.ts';
import { inFolder, startOnce, withPanel } from '../measured-panel.ts';
import { SETTINGS, TARGETS } from './postgres.ts';
import { seedOnServer } from '../seed-server.ts';
import { seedClients, type Seeded } from '../seed.ts';

/** Most time of a change at 50,000 clients, as a multiple of the time with SQLite. */
const MAX_TIMES = 3;
const BESIDE = 50_000;

/** Lists and changes at 50,000 clients of one inbound: with SQLite, with PostgreSQL, and their ratio. */
export async function besideSqlite(): Promise<void> {
  const cluster = await startCluster(SETTINGS);
  try {
    const inFile = await besideAt('SQLite', (dataDir, port) => seedClients(dataDir, BESIDE, port));
    const database = cluster.url('postgres');
    const onServer = await besideAt(
      'PostgreSQL',
      (dataDir, port) => seedOnServer(dataDir, BESIDE, 1, port, database),
      database,
    );
    for (const [name, ms] of onServer) {
      const isList = /^(page|deep page|sort|filter|search|first|summary)/.test(name);
      figure(`PostgreSQL to SQLite: ${name}`, ms / inFile.get(name)!, 'times', isList ? null : MAX_TIMES);
    }
  } finally {
    await cluster.stop();
  }
}

/** @returns medians in ms by measurement */
function besideAt(
  name: string,
  seed: (dataDir: string, port: number) => Promise<Seeded>,
  database?: string,
): Promise<Map<string, number>> {
  return inFolder(async (dataDir) => {
    const seeded = await seed(dataDir, await freePort());
    const where = { dataDir, ...(database !== undefined && { database }) };
    await startOnce(where);
    return withPanel(where, async (panel) => {
      await delay(8_000);
      const label = `${BESIDE} clients on ${name}`;
      const medians = new Map<string, number>();
      await listsAndVerbs({ panel, label, size: BESIDE, medians, targets: TARGETS }, seeded, [1]);
      return medians;
    });
  });
}
