import { freePort } from '../e2e/harness/free-port.ts';
import { newDataDir, startPanel, type PanelProcess } from '../e2e/harness/panel-process.ts';
import { pause, waitFor } from '../e2e/harness/wait-for.ts';
import { accepts } from '../src-server/testing/peers/local-server.ts';
import { figure, percentile, timed } from './figures.ts';
import { residentMiB } from './process-family.ts';
import { seedClients, type Seeded } from './seed.ts';
import { OPEN_TEMPLATE } from './open-template.ts';
import { tick } from './tick.ts';

const CLIENTS = 50_000;

/** Start, one-client verbs, paged list, one tick and memory with 50,000 clients on one inbound. */
export async function foundation(dataDir: string): Promise<void> {
  await emptyStart();
  const seeded = await seedClients(dataDir, CLIENTS, await freePort());
  const panel = await fullStart(dataDir, seeded);
  try {
    await verbs(panel, seeded);
    await lists(panel);
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
  // Once to make identity, key file and template, so that the measured start is an ordinary one.
  const first = await startPanel({ dataDir });
  await first.api.post(
    '/panel/api/core/update',
    new URLSearchParams({ xraySetting: OPEN_TEMPLATE, outboundTestUrl: '' }),
  );
  await first.stop();
  const startedAt = performance.now();
  const listening = waitFor('the inbound', () => accepts(seeded.port), 30_000, 5).then(
    () => performance.now() - startedAt,
  );
  let firstAnswerMs = 0;
  const panel = await startPanel({ dataDir, onReady: () => (firstAnswerMs = performance.now() - startedAt) });
  figure(`start with ${CLIENTS} clients to the first answer`, firstAnswerMs, 'ms', 500);
  figure(`start with ${CLIENTS} clients to the inbound listening`, await listening, 'ms', 1_500);
  return panel;
}

async function verbs({ api }: PanelProcess, { inboundId }: Seeded): Promise<void> {
  const email = (i: number): string => `bench-${i}`;
  const report = (verb: string, samples: number[]): void => {
    figure(`${verb} one client, ${CLIENTS} existing, live core: p50`, percentile(samples, 50), 'ms', null);
    figure(`${verb} one client, ${CLIENTS} existing, live core: p95`, percentile(samples, 95), 'ms', 15);
  };
  await timed(20, (i) =>
    api.post('/panel/api/clients/add', { client: { email: `warm-${i}` }, inboundIds: [inboundId] }),
  );
  report(
    'add',
    await timed(200, (i) =>
      api.post('/panel/api/clients/add', { client: { email: email(i) }, inboundIds: [inboundId] }),
    ),
  );
  const stored: Record<string, unknown>[] = [];
  for (let i = 0; i < 200; i++)
    stored.push((await api.get<{ client: Record<string, unknown> }>(`/panel/api/clients/get/${email(i)}`)).client);
  report(
    'update',
    await timed(200, (i) =>
      api.post(`/panel/api/clients/update/${email(i)}`, {
        ...stored[i],
        comment: `changed ${i}`,
        totalGB: 1_000_000_000,
      }),
    ),
  );
  report(
    'disable',
    await timed(200, (i) => api.post(`/panel/api/clients/update/${email(i)}`, { ...stored[i], enable: false })),
  );
  report('delete', await timed(200, (i) => api.post(`/panel/api/clients/del/${email(i)}`)));
}

async function lists({ api }: PanelProcess): Promise<void> {
  const page = (query: string): Promise<unknown> => api.get(`/panel/api/clients/list/paged?${query}`);
  await timed(20, () => page('page=1'));
  const samples = await timed(200, (i) => page(`page=${1 + (i % 5)}&pageSize=25`));
  figure(`paged list at ${CLIENTS}: p50`, percentile(samples, 50), 'ms', null);
  figure(`paged list at ${CLIENTS}: p95`, percentile(samples, 95), 'ms', 5);
}
