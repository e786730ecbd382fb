import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startBreakingRelay, type BreakingRelay } from './harness/peers/breaking-relay.ts';
import type { CoreClient } from './harness/core-client.ts';
import { createFailpoints, type Failpoints } from './harness/failpoints.ts';
import { freePort } from '../src-server/testing/free-port.ts';
import { allowPrivateEgress } from './harness/open-egress.ts';
import { makeToken, disposePanel, startPanel, type PanelProcess } from './harness/panel-process.ts';
import { startTargetServer, type TargetServer } from './harness/target-server.ts';
import { waitFor } from './harness/wait-for.ts';
import { addVlessInbound, connectVless } from './harness/vless-inbound.ts';

interface Traffic {
  up: number;
  down: number;
}

/** Speed of the transfers that are cut off, in bytes per second. */
const DRIP_BYTES = 1_000_000;
/** Rounds of counting and of polls, on a busy machine. */
const SETTLED_MS = 60_000;

/** A master, a node and its core, each a process, and a transfer through the node while parts are killed. */
describe('a node that is killed during a transfer', () => {
  let failpoints: Failpoints;
  let top: PanelProcess;
  let node: PanelProcess;
  let relay: BreakingRelay;
  let site: TargetServer;
  let port: number;
  let inboundId: number;
  let activeClient: CoreClient;
  const clients: CoreClient[] = [];

  beforeAll(async () => {
    failpoints = await createFailpoints();
    site = await startTargetServer();
    // Only the node reaches armed points.
    [top, node] = await Promise.all([startPanel(), startPanel({ env: failpoints.env })]);
    await Promise.all([top, node].map(({ api }) => allowPrivateEgress(api)));
    relay = await startBreakingRelay(node.url);
    const token = makeToken(node.dataDir);
    const { id: nodeId } = await top.api.post<{ id: number }>('/panel/api/nodes/add', {
      name: 'node',
      scheme: 'http',
      address: '127.0.0.1',
      port: relay.port,
      basePath: new URL(node.url).pathname,
      allowPrivateAddress: true,
      apiToken: token,
    });
    port = await freePort();
    ({ id: inboundId } = await addVlessInbound(top.api, { nodeId, port }));
    activeClient = await connect('active');
    await served(activeClient);
  });
  afterAll(async () => {
    for (const client of clients) await client.close();
    await Promise.all([top, node].map(disposePanel));
    await relay.close();
    await site.close();
    await failpoints.remove();
  });

  const used = ({ api }: PanelProcess, email: string) => api.get<Traffic>(`/panel/api/clients/traffic/${email}`);

  /** A new client of the master, at the node's port. */
  async function connect(email: string): Promise<CoreClient> {
    await top.api.post('/panel/api/clients/add', { client: { email }, inboundIds: [inboundId] });
    const started = await connectVless(top.api, port, email);
    clients.push(started);
    return started;
  }
  const served = (client: CoreClient): Promise<number> =>
    waitFor('the client to be served', () => client.fetchBytes(`${site.url}/bytes/1000`, 3_000), SETTLED_MS, 200);

  /** Kills the node's panel at this point and its core with it, while bytes flow; `act` makes it reach the point. */
  async function killAt(point: Parameters<Failpoints['kill']>[1][number], act: () => Promise<unknown>): Promise<void> {
    const { core, appStats } = await node.api.get<{ core: { pid: number }; appStats: { pid: number } }>(
      '/panel/api/server/status',
    );
    const isGone = (): boolean => {
      try {
        return !process.kill(appStats.pid, 0);
      } catch {
        return true;
      }
    };
    const running = await activeClient.stream(`${site.url}/drip/${DRIP_BYTES}`);
    await waitFor('bytes to move', () => running.receivedBytes() > DRIP_BYTES);
    await failpoints.kill(node, [point], async () => {
      const acting = Promise.allSettled([act()]);
      await waitFor('the end of the panel', isGone, SETTLED_MS, 5);
      process.kill(core.pid, 'SIGKILL');
      await acting;
    });
    running.abort();
  }

  /** Both count the same, at least the bytes since all is back, and no more than were ever moved. */
  async function agreed(email: string, client: CoreClient): Promise<void> {
    await served(client);
    const before = await used(node, email);
    const bytes = 300_000;
    expect(await client.fetchBytes(`${site.url}/bytes/${bytes}`)).toBe(bytes);
    const counted = await waitFor(
      `${email} to be counted alike`,
      async () => {
        const [here, there] = await Promise.all([used(top, email), used(node, email)]);
        return there.down >= before.down + bytes && here.down === there.down && here.up === there.up && here;
      },
      SETTLED_MS,
    );
    expect(counted.down).toBeLessThanOrEqual(site.sentBytes());
  }

  test('at each step of reading its counters: both count the same afterwards', async () => {
    for (const point of ['tick.read', 'tick.committing', 'tick.committed'] as const)
      await killAt(point, async () => undefined);
    await agreed('active', activeClient);
  });

  test('at each step of a change delivered to it: no client is lost, and first bytes count', async () => {
    const added = new Map<string, CoreClient>();
    for (const point of ['change.committing', 'change.committed', 'change.applied'] as const)
      await killAt(point, async () => added.set(`at-${point}`, await connect(`at-${point}`)));
    for (const [email, client] of [...added, ['active', activeClient] as const]) await agreed(email, client);
  });

  test('with a series of damaged answers before and after: both count the same', async () => {
    relay.breakNext(['noNumbers', 'cut']);
    await waitFor('the harm before', () => relay.left() === 0, SETTLED_MS);
    relay.breakNext(['page', 'noNumbers', 'empty', 'older']);
    await killAt('tick.committing', async () => undefined);
    await waitFor('the harm after', () => relay.left() === 0, SETTLED_MS);
    await agreed('active', activeClient);
  });
});
