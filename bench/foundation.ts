import { freePort } from '../src-server/testing/free-port.ts';
import { newDataDir, startPanel, type PanelProcess } from '../e2e/harness/panel-process.ts';
import { pause, waitFor } from '../e2e/harness/wait-for.ts';
import { accepts } from '../src-server/testing/peers/local-server.ts';
import { TARGETS, verbs } from './clients.ts';
import { figure, spread, timed } from './figures.ts';
import { startOnce } from './measured-panel.ts';
import { residentMiB } from './process-family.ts';
import { seedClients, type Seeded } from './seed.ts';
import { tick } from './tick.ts';

const CLIENTS = 50_000;

/** Start, single-client calls, paged list, one tick and memory with 50,000 clients on one inbound. */
export async function foundation(dataDir: string): Promise<void> {
  await emptyStart();
  const seeded = await seedClients(dataDir, CLIENTS, await freePort());
  const panel = await fullStart(dataDir, seeded);
  try {
    const label = `${CLIENTS} existing, live core`;
    const scene = { panel, label, size: CLIENTS, medians: new Map(), targets: TARGETS };
    await verbs(scene, seeded, [seeded.inboundId]);
    const page = (query: string): Promise<unknown> => panel.api.get(`/panel/api/clients/list/paged?${query}`);
    await timed(20, () => page('page=1'));
    spread(`paged list at ${CLIENTS}`, await timed(200, (i) => page(`page=${1 + (i % 5)}&pageSize=25`)), TARGETS.list);
    await pause(12_000);
    figure('memory of the panel process after all of it', residentMiB(panel.ready.pid), 'MiB', 250);
  } finally {
    await panel.stop();
  }
  await tick(dataDir, seeded);
}

async function emptyStart(): Promise<void> {
  const startedAt = performance.now();
  const panel = await startPanel({
    dataDir: await newDataDir(),
    onReady: () => figure('start of an empty panel to its first answer', performance.now() - startedAt, 'ms', null),
  });
  await panel.stop();
}

async function fullStart(dataDir: string, seeded: Seeded): Promise<PanelProcess> {
  await startOnce({ dataDir });
  const startedAt = performance.now();
  const listening = waitFor('the inbound', () => accepts(seeded.port), 30_000, 5).then(
    () => performance.now() - startedAt,
  );
  let firstResponseMs = 0;
  const panel = await startPanel({ dataDir, onReady: () => (firstResponseMs = performance.now() - startedAt) });
  figure(`start with ${CLIENTS} clients to the first answer`, firstResponseMs, 'ms', 900);
  figure(`start with ${CLIENTS} clients to the inbound listening`, await listening, 'ms', 1_900);
  return panel;
}
