import { fork } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { makeToken, disposePanel, newDataDir, startPanel, type PanelProcess } from '../../e2e/harness/panel-process.ts';
import { pause, waitFor } from '../../e2e/harness/wait-for.ts';
import { figure, percentile, timed } from '../figures.ts';
import { cpuSecondsOf, residentMiB } from '../process-family.ts';
import { nodesPage } from './nodes-page.ts';
import { seedFleet } from './seed-fleet.ts';
import { CLIENTS_PER_NODE, EVERYWHERE, NODES, type NodeFigures, type Order } from './shape.ts';
import { addVlessInbound } from '../../e2e/harness/vless-inbound.ts';

const REAL_PANELS = 3;
const CHANGES = 5;
const SAVES = 100;
/** Rounds of polls until they are steady after a start. */
const SETTLED_MS = 30_000;
const IDLE_MS = 60_000;
/** A node is read every 5 s; at most one tick later. */
const READ_MS = 10_000;

type Fleet = Awaited<ReturnType<typeof startFleet>>;

/** A master of a hundred simulated nodes, with 1,000 clients and 5 inbounds each, and of three real panels. */
export async function fleetAtScale(): Promise<void> {
  const dataDir = await newDataDir();
  const fleet = await startFleet();
  const real: PanelProcess[] = [];
  try {
    for (let at = 0; at < REAL_PANELS; at++) real.push(await startPanel());
    const first = await addFleet(dataDir, fleet);
    await fleet.send({ isFilled: true });
    const startedAt = performance.now();
    const name = `start with ${NODES} nodes, ${NODES * CLIENTS_PER_NODE} clients, to the first answer`;
    const master = await startPanel({
      dataDir,
      onReady: () => figure(name, performance.now() - startedAt, 'ms', 2_000),
    });
    try {
      await addReal(master, real);
      // The first start printed the credentials.
      await measure({ ...master, stderr: () => first.stderr() }, fleet, real);
    } finally {
      await master.stop();
    }
  } finally {
    fleet.close();
    await Promise.all(real.map(disposePanel));
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function measure(master: PanelProcess, fleet: Fleet, real: readonly PanelProcess[]): Promise<void> {
  await allOnline(master);
  await pause(SETTLED_MS);
  await idle(master, fleet, 'nobody moving', null);
  await fleet.send({ isMoving: true });
  await idle(master, fleet, '10 % of clients moving', 15);
  figure('memory of the managing panel', residentMiB(master.ready.pid), 'MiB', 400);
  const changes: number[] = [];
  for (let turn = 1; turn <= CHANGES; turn++) changes.push(await changeEverywhere(master, fleet, real, turn));
  figure(
    `a change to ${NODES + REAL_PANELS} nodes, applied everywhere: p50 of ${CHANGES}`,
    percentile(changes, 50),
    'ms',
    5_000,
  );
  figure(`a change to ${NODES + REAL_PANELS} nodes, applied everywhere: worst`, Math.max(...changes), 'ms', null);
  await nodesPage(master);
  await whileSomeFail(master, fleet);
}

/** Adds the nodes by the API while they are empty, then their contents as rows. */
async function addFleet(dataDir: string, { ports }: Fleet): Promise<PanelProcess> {
  const panel = await startPanel({ dataDir });
  const ids: number[] = [];
  for (const [at, port] of ports.entries()) ids.push(await addNode(panel, `simulated ${at}`, port, '/', 'bench'));
  await panel.stop();
  await seedFleet(dataDir, ids);
  return panel;
}

async function addNode(
  { api }: PanelProcess,
  name: string,
  port: number,
  basePath: string,
  apiToken: string,
): Promise<number> {
  const details = { name, scheme: 'http', address: '127.0.0.1', port, basePath, apiToken, allowPrivateAddress: true };
  return (await api.post<{ id: number }>('/panel/api/nodes/add', details)).id;
}

/** Real panels become nodes with an inbound each, where the shared client is attached too. */
async function addReal(master: PanelProcess, real: readonly PanelProcess[]): Promise<void> {
  const inboundIds: number[] = [];
  for (const [at, { url, dataDir }] of real.entries()) {
    const { port, pathname } = new URL(url);
    const token = makeToken(dataDir);
    const nodeId = await addNode(master, `real ${at}`, Number(port), pathname, token);
    const { id } = await addVlessInbound(master.api, { nodeId });
    inboundIds.push(id);
  }
  await master.api.post(`/panel/api/clients/${EVERYWHERE.email}/attach`, { inboundIds });
  for (const { api } of real)
    await waitFor('the client on a real panel', () => api.get(`/panel/api/clients/get/${EVERYWHERE.email}`), 120_000);
}

/** Every node is reachable and nothing waits for delivery. */
async function allOnline({ api }: PanelProcess): Promise<void> {
  interface Row {
    status: string;
    configDirty: boolean;
    syncError: string;
  }
  await waitFor(
    'every node to be in step',
    async () => {
      const nodes = await api.get<Row[]>('/panel/api/nodes/list');
      const refused = nodes.find(({ syncError }) => syncError !== '');
      if (refused !== undefined) throw new Error(refused.syncError);
      return nodes.every(({ status, configDirty }) => status === 'online' && !configDirty);
    },
    180_000,
    500,
  );
}

/** Reports the readings too: on a busy machine fewer of them cost less. */
async function idle({ ready }: PanelProcess, fleet: Fleet, what: string, target: number | null): Promise<void> {
  await fleet.send({});
  const before = cpuSecondsOf(ready.pid);
  await pause(IDLE_MS);
  const share = (cpuSecondsOf(ready.pid) - before) / (IDLE_MS / 1000);
  const readings = (await fleet.send({})).reduce((sum, each) => sum + each.readings, 0) / (IDLE_MS / 1000);
  const circumstances = `${readings.toFixed(1)} readings a second, load ${loadavg().at(0)?.toFixed(1)}`;
  figure(`idle managing panel, ${what}: share of one core (${circumstances})`, share * 100, '%', target);
}

/** Ms from the request until the last node has the new value. */
async function changeEverywhere(
  master: PanelProcess,
  fleet: Fleet,
  real: readonly PanelProcess[],
  turn: number,
): Promise<number> {
  const totalGB = turn * 1_000_000_000_000;
  const path = `/panel/api/clients/update/${EVERYWHERE.email}`;
  const startedAtMs = Date.now();
  await master.api.post(path, { email: EVERYWHERE.email, totalGB });
  const reached = real.map(({ api }) =>
    waitFor(
      'the change on a real panel',
      async () => {
        const { client } = await api.get<{ client: { totalGB: number } }>(`/panel/api/clients/get/${EVERYWHERE.email}`);
        return client.totalGB === totalGB && Date.now();
      },
      60_000,
      100,
    ),
  );
  const simulated = waitFor(
    'the change on every simulated node',
    async () => {
      const times = (await fleet.send({})).map(({ changedAtMs }) => changedAtMs);
      return Math.min(...times) >= startedAtMs && Math.max(...times);
    },
    60_000,
    100,
  );
  const last = Math.max(...(await Promise.all([...reached, simulated])));
  await allOnline(master);
  return last - startedAtMs;
}

/** Saves, and readings of the healthy nodes, while many others are not. */
async function whileSomeFail({ api }: PanelProcess, fleet: Fleet): Promise<void> {
  const manners: Order['manners'] = Array.from({ length: NODES }, (_, at) =>
    at < 25 ? 'hangs' : at < 35 ? 'refuses' : at < 40 ? 'slow' : 'well',
  );
  await fleet.send({ manners });
  // The first round finds out which nodes are down.
  await pause(15_000);
  await fleet.send({});
  const saves: number[] = [];
  for (let turn = 0; turn < SAVES; turn++) {
    const email = `client-${turn}-${turn * 7}@example.org`;
    const change = { email, totalGB: (turn + 1) * 1_000_000_000 };
    saves.push(...(await timed(1, () => api.post(`/panel/api/clients/update/${email}`, change))));
    await pause(200);
  }
  figure('save while 25 nodes hang, 10 refuse and 5 are slow: p50', percentile(saves, 50), 'ms', null);
  figure('save while 25 nodes hang, 10 refuse and 5 are slow: p95', percentile(saves, 95), 'ms', 50);
  await pause(SETTLED_MS);
  const gaps = (await fleet.send({})).slice(40).map(({ gapMs }) => gapMs);
  figure('… and the longest time between two readings of a live node', Math.max(...gaps), 'ms', READ_MS);
  await fleet.send({ manners: [] });
}

async function startFleet() {
  const child = fork(fileURLToPath(new URL('./simulated-nodes.ts', import.meta.url)), { stdio: 'inherit' });
  const message = async <T>(): Promise<T> => ((await once(child, 'message')) as [T])[0];
  const ports = await message<number[]>();
  let last: Promise<unknown> = Promise.resolve();
  return {
    ports,
    send(order: Order): Promise<NodeFigures[]> {
      const figures = last.then(() => {
        const reply = message<NodeFigures[]>();
        child.send(order);
        return reply;
      });
      last = figures;
      return figures;
    },
    close: (): void => child.disconnect(),
  };
}
