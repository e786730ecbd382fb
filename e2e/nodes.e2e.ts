import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CoreClient } from './harness/core-client.ts';
import { freePort } from '../src-server/testing/free-port.ts';
import { allowPrivateEgress } from './harness/open-egress.ts';
import { admin, makeToken, disposePanel, startPanel, type PanelProcess } from './harness/panel-process.ts';
import { startTargetServer, type TargetServer } from './harness/target-server.ts';
import { waitFor } from './harness/wait-for.ts';
import { addVlessInbound, connectVless } from './harness/vless-inbound.ts';

interface Node {
  id: number;
  name: string;
  guid: string;
  parentGuid: string;
  status: string;
  dialledBy: string;
  transitive?: boolean;
  configDirty: boolean;
  inboundCount: number;
  clientCount: number;
  onlineCount: number;
}
interface Inbound {
  id: number;
  remark: string;
  port: number;
  originNodeGuid: string;
}
interface Traffic {
  up: number;
  down: number;
  enable: boolean;
}

const MEGABYTE = 1_000_000;
/** Two rounds of counting and two of polls, on a busy machine. */
const SETTLED_MS = 40_000;

/** A panel, a panel that it manages, and a panel behind that one: a process and a core each. */
describe('panels that manage panels', () => {
  let top: PanelProcess;
  let middle: PanelProcess;
  let last: PanelProcess;
  let site: TargetServer;
  /** Id of an inbound that the middle panel has on the last. */
  let behindPort: number;
  const clients: CoreClient[] = [];

  beforeAll(async () => {
    site = await startTargetServer();
    [top, middle, last] = await Promise.all([startPanel(), startPanel(), startPanel()]);
    await Promise.all([top, middle, last].map(({ api }) => allowPrivateEgress(api)));
    await enrol(middle, last, 'last');
    await manage(top, middle, 'middle');
    // Reported from panel to panel while the first clients move.
    const [behind] = await nodesOf(middle);
    behindPort = await freePort();
    await addInbound(middle, behindPort, { nodeId: behind!.id, remark: 'at the last' });
  });
  afterAll(async () => {
    for (const client of clients) await client.close();
    await Promise.all([top, middle, last].map(disposePanel));
    await site.close();
  });

  function connectionOf(panel: PanelProcess) {
    const { port, pathname } = new URL(panel.url);
    const address = { scheme: 'http', address: '127.0.0.1', port: Number(port), basePath: pathname };
    return { ...address, allowPrivateAddress: true };
  }
  async function manage(above: PanelProcess, below: PanelProcess, name: string): Promise<void> {
    const token = makeToken(below.dataDir);
    const node = await above.api.post<Node>('/panel/api/nodes/add', {
      name,
      ...connectionOf(below),
      apiToken: token,
    });
    expect(node.status).toBe('online');
  }
  /** As the command line on the host does: no token, and the node need not be reachable. */
  async function enrol(above: PanelProcess, below: PanelProcess, name: string): Promise<void> {
    const { ticket } = await above.api.post<{ ticket: string }>('/panel/api/nodes/enrolments/create', { name });
    expect(await admin(below.dataDir, 'enroll', ticket)).toContain(`is node ${name} of`);
    await waitFor('the node to connect', async () => {
      const node = (await nodesOf(above)).find((each) => each.name === name);
      return node?.status === 'online' && node.dialledBy === 'node';
    });
  }
  const nodesOf = (panel: PanelProcess) => panel.api.get<Node[]>('/panel/api/nodes/list');
  const addInbound = (panel: PanelProcess, port: number, more: object = {}) =>
    addVlessInbound<Inbound>(panel.api, { port, ...more });
  const addClient = (email: string, inboundIds: number[], more: object = {}) =>
    top.api.post<{ nodePending?: true } | null>('/panel/api/clients/add', { client: { email, ...more }, inboundIds });
  const used = (panel: PanelProcess, email: string) => panel.api.get<Traffic>(`/panel/api/clients/traffic/${email}`);

  /** A client of the top panel, at a port of whichever panel serves it. */
  async function connect(email: string, port: number): Promise<CoreClient> {
    const started = await connectVless(top.api, port, email);
    clients.push(started);
    return started;
  }
  /** Downloads this many bytes, as soon as the client is accepted. */
  const download = (client: CoreClient, bytes: number) =>
    waitFor('the client to be served', () => client.fetchBytes(`${site.url}/bytes/${bytes}`, 3_000), SETTLED_MS, 200);
  const isRefused = (client: CoreClient): Promise<boolean> =>
    client.fetchBytes(`${site.url}/bytes/10`, 2_000).then(
      () => false,
      () => true,
    );
  /** Waits until the top panel has counted as much as the panel serving the client, and at least this much. */
  async function counted(email: string, servedBy: PanelProcess, atLeast: number): Promise<Traffic> {
    return waitFor(
      `${email} to be counted everywhere`,
      async () => {
        const [here, there] = await Promise.all([used(top, email), used(servedBy, email)]);
        return there.down >= atLeast && here.down === there.down && here.up === there.up && here;
      },
      SETTLED_MS,
    );
  }

  test('a client on an inbound of a node goes through its core and is counted here to the byte', async () => {
    const port = await freePort();
    const [node] = await nodesOf(top);
    const inbound = await addInbound(top, port, { nodeId: node!.id, remark: 'at the middle' });
    await addClient('alice', [inbound.id]);
    const client = await connect('alice', port);
    expect(await download(client, MEGABYTE)).toBe(MEGABYTE);
    const { down } = await counted('alice', middle, MEGABYTE);
    expect(down).toBeLessThan(1.01 * MEGABYTE);
    // Reported right after the counters.
    await waitFor(
      'the client to be online',
      async () => (await top.api.post<string[]>('/panel/api/clients/onlines')).includes('alice'),
      SETTLED_MS,
    );
  });

  test('a quota that is used up in two places ends the client in both', async () => {
    const [here, there] = [await freePort(), await freePort()];
    const [node] = await nodesOf(top);
    const local = await addInbound(top, here);
    const remote = await addInbound(top, there, { nodeId: node!.id });
    await addClient('bob', [local.id, remote.id], { totalGB: 3 * MEGABYTE });
    const [near, far] = [await connect('bob', here), await connect('bob', there)];
    await Promise.all([download(near, 2 * MEGABYTE), download(far, 1.5 * MEGABYTE)]);
    await waitFor('the end of the quota', async () => !(await used(top, 'bob')).enable, SETTLED_MS);
    expect((await used(top, 'bob')).down).toBeGreaterThanOrEqual(3.5 * MEGABYTE);
    await waitFor('the end of the quota at the core', () => isRefused(near), SETTLED_MS);
    await waitFor('the end on the node', async () => !(await used(middle, 'bob')).enable, SETTLED_MS);
    await waitFor('the end of the quota at the core of the node', () => isRefused(far), SETTLED_MS);
  });

  test('a panel behind the node is listed with its inbounds, serves clients of this one, counts for it', async () => {
    const [behind] = await nodesOf(middle);
    const inbound = await waitFor(
      'the inbound to be told of',
      async () => {
        const inbounds = await top.api.get<Inbound[]>('/panel/api/inbounds/list');
        return inbounds.find(
          ({ remark, originNodeGuid }) => remark === 'at the last' && originNodeGuid === behind!.guid,
        );
      },
      SETTLED_MS,
    );
    await addClient('carol', [inbound.id]);
    const client = await connect('carol', behindPort);
    expect(await download(client, MEGABYTE)).toBe(MEGABYTE);
    await counted('carol', last, MEGABYTE);
    const [direct, transitive, ...more] = await nodesOf(top);
    expect(more).toEqual([]);
    expect(direct).toMatchObject({ name: 'middle', inboundCount: 2, clientCount: 3 });
    expect(transitive).toMatchObject({
      id: 0,
      name: 'last',
      transitive: true,
      parentGuid: direct!.guid,
      inboundCount: 1,
      status: 'online',
    });
  });

  test('a node is reached through an outbound of the core, and only through that', async () => {
    const [node] = await nodesOf(top);
    const update = (outboundTag: string) =>
      top.api.post(`/panel/api/nodes/update/${node!.id}`, { ...connectionOf(middle), name: 'middle', outboundTag });
    const probe = () => top.api.post<{ status: string; error: string }>(`/panel/api/nodes/probe/${node!.id}`);
    await update('blocked');
    await waitFor('the way to be closed', async () => (await probe()).status === 'offline', SETTLED_MS, 200);
    await update('direct');
    await waitFor('the way to be open', async () => (await probe()).status === 'online', SETTLED_MS, 200);
    await update('');
    expect(await probe()).toMatchObject({ status: 'online', error: '' });
  });

  test('unsaved details are tested through their outbound, and nothing of the test remains', async () => {
    const token = makeToken(middle.dataDir);
    const details = { ...connectionOf(middle), apiToken: token, scheme: 'http' };
    const probeUnsaved = (outboundTag: string) =>
      top.api.post<{ status: string; error: string }>('/panel/api/nodes/test', { ...details, outboundTag });
    const inbounds = (outboundTag: string) =>
      top.api.post<object[]>('/panel/api/nodes/inbounds', { ...details, outboundTag });
    const configured = async () => JSON.stringify(await top.api.get('/panel/api/server/getConfigJson'));
    // It is a node already: the test judges the connection, not the panel.
    await expect(probeUnsaved('direct')).rejects.toThrow(/is this panel already/);
    expect(await probeUnsaved('blocked')).toMatchObject({ status: 'offline' });
    await expect(inbounds('blocked')).rejects.toThrow();
    expect(await inbounds('direct')).not.toEqual([]);
    expect(await configured()).not.toContain('node-egress');
  });

  test('a killed node’s core goes on serving, and its counters and the changes meanwhile arrive', async () => {
    const port = await freePort();
    const [node] = await nodesOf(top);
    const inbound = await addInbound(top, port, { nodeId: node!.id });
    await addClient('dave', [inbound.id]);
    const client = await connect('dave', port);
    await download(client, MEGABYTE);
    // Without its launcher it is not restarted.
    middle.launcher.kill('SIGKILL');
    process.kill(middle.ready.pid, 'SIGKILL');
    expect(await client.fetchBytes(`${site.url}/bytes/${MEGABYTE}`)).toBe(MEGABYTE);
    await waitFor('the node to be missed', async () => (await nodesOf(top))[0]!.status === 'offline', SETTLED_MS);
    expect(await addClient('erin', [inbound.id])).toMatchObject({ nodePending: true });
    expect((await nodesOf(top))[0]).toMatchObject({ configDirty: true });
    const { port: panelPort } = new URL(middle.url);
    middle = await startPanel({ dataDir: middle.dataDir, port: Number(panelPort) });
    await download(await connect('erin', port), 1_000);
    await counted('dave', middle, 2 * MEGABYTE);
    await waitFor('the node to have every change', async () => {
      const { status, configDirty } = (await nodesOf(top))[0]!;
      return status === 'online' && !configDirty;
    });
  });
});
