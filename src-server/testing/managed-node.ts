import type Koa from 'koa';
import { clientIpRoutes } from '../domains/clientIps/routes.ts';
import { createClientIpService } from '../domains/clientIps/service.ts';
import { getStatus, type ServerStatus } from '../domains/server/contract.ts';
import { createTokenService } from '../domains/tokens/service.ts';
import { bind, type BindContext } from '../http/bind.ts';
import { serveRoutes } from './serve-routes.ts';
import { startWholePanel, type WholePanel } from './whole-panel.ts';

/** What every visit asks for, whether there is something to deliver or not. */
const READS = new Set([
  'server/status',
  'inbounds/list',
  'clients/onlinesByGuid',
  'server/descendants',
  'clients/clientIpsByGuid',
  'clients/activeInbounds',
]);
/** What is told again and again, whether there is something new or not. */
const TOLD = 'inbounds/pushClientTraffics';

interface ManagedOptions {
  panelGuid: string;
  /** Name under which the panel above knows it. */
  name: string;
  /** Whether it has nodes of its own. */
  managesNodes?: boolean;
}

/** A second whole panel, served over HTTP with an API token and registered as a node of the first. */
export async function manageNode(central: WholePanel, { panelGuid, name, managesNodes = false }: ManagedOptions) {
  const node = await startWholePanel({ panelGuid, managesNodes });
  const tokens = createTokenService({
    store: node.store,
    clock: node.clock,
    publish: () => {},
    prove: async () => {},
  });
  const admin = { caller: { kind: 'session' }, signedInAtMs: node.clock(), address: '127.0.0.1', proof: {} };
  const { token } = await tokens.create(admin, 'central');

  /** Calls that came in, as `POST clients/add`, but for those of every visit. */
  const calls: string[] = [];
  /** How the list of inbounds was answered, each time: 200 or 304. */
  const lists: number[] = [];
  const line = {
    isUp: true,
    guid: panelGuid,
    held: null as { path: string; reached: () => void; release: Promise<void> } | null,
    given: new Map<string, unknown>(),
  };

  const door: Koa.Middleware = async (context, next) => {
    if (!line.isUp) {
      context.respond = false;
      context.req.socket.destroy();
      return;
    }
    const bearer = context.get('Authorization').replace(/^Bearer /, '');
    if ((await tokens.authenticateBearer(bearer)) === null) {
      context.status = 404;
      return;
    }
    const path = context.path.replace('/panel/api/', '');
    if (!READS.has(path) && path !== TOLD) calls.push(`${context.method} ${path}`);
    const given = line.given.get(path);
    if (given !== undefined) {
      line.given.delete(path);
      context.body = { success: true, msg: '', obj: given };
      return;
    }
    await next();
    if (path === 'inbounds/list') lists.push(context.status);
    const { held } = line;
    if (held === null || held.path !== path) return;
    line.held = null;
    // Streams are read to their end first: what is held back is what the node knew at this moment.
    context.body = await textOf(context.body);
    held.reached();
    await held.release;
  };

  const addresses = createClientIpService({
    ...node,
    cutAt: async () => {},
    settings: { current: () => ({ ipLimitAllowlist: '', timeLocation: 'UTC' }) },
    onlineOnNodes: () => node.nodes.online.byGuid(),
  });

  const outside = await serveRoutes(
    (context) => {
      node.mount(context);
      status(context, () => line.guid);
      clientIpRoutes(context, addresses);
    },
    node.texts,
    { kind: 'token', tokenId: 1, name: 'central' },
    door,
  );
  const port = Number(new URL(outside.origin).port);
  const address = { scheme: 'http', address: '127.0.0.1', port, apiToken: token, allowPrivateAddress: true } as const;
  const nodeId = await central.nodes.add({ name, ...address });

  return {
    node,
    nodeId,
    /** Where the node listens, and the token that opens it. */
    port,
    token,
    calls,
    /** From where the node's clients are connected, as its own core tells. */
    addresses,
    lists,
    /** Of the node's own inbounds only these are wanted here. */
    async select(inboundTags: readonly string[]): Promise<void> {
      await central.done(`/nodes/update/${nodeId}`, {
        name,
        ...address,
        inboundSyncMode: 'selected',
        inboundTags,
      });
    },
    /** The node calls itself by another GUID from now on, as another panel does. */
    setGuid: (guid: string): void => void (line.guid = guid),
    /** Whether the node can be reached. */
    setUp: (isUp: boolean): void => void (line.isUp = isUp),
    /** The next answer to `path` is made and then held back. @returns when it is made, and how to let it go */
    hold(path: string): { reached: Promise<void>; release: () => void } {
      const made = Promise.withResolvers<void>();
      const free = Promise.withResolvers<void>();
      line.held = { path, reached: made.resolve, release: free.promise };
      return { reached: made.promise, release: free.resolve };
    },
    /** The next call of `path` gets this result instead of the node's. */
    answerOnce(path: string, result: unknown): { isUsed: () => boolean } {
      line.given.set(path, result);
      return { isUsed: () => !line.given.has(path) };
    },
    async close(): Promise<void> {
      await outside.close();
      await node.close();
    },
  };
}

/** The figures of a machine that does nothing: only who it is matters here. */
function status(context: BindContext, panelGuid: () => string): void {
  const none = { current: 0, total: 0 };
  const idle: ServerStatus = {
    cpu: 0,
    cpuCores: 1,
    logicalPro: 1,
    cpuSpeedMhz: 0,
    mem: none,
    swap: none,
    disk: none,
    diskIO: { read: 0, write: 0 },
    diskTraffic: { read: 0, write: 0 },
    core: { state: 'running', errorMsg: '', version: '26.7.28', pid: null, leftOut: [] },
    panelVersion: '1.0.0',
    panelGuid: '',
    web: { problem: '' },
    uptime: 1,
    load: { load1: 0, load5: 0, load15: 0 },
    loads: [0, 0, 0],
    tcpCount: 0,
    udpCount: 0,
    netIO: { up: 0, down: 0, pktUp: 0, pktDown: 0 },
    netTraffic: { sent: 0, recv: 0, pktSent: 0, pktRecv: 0 },
    publicIP: { ipv4: '', ipv6: '' },
    appStats: { pid: 1, threads: 1, mem: 0, uptime: 1 },
  };
  bind(context, getStatus, () => ({ ...idle, panelGuid: panelGuid() }));
}

async function textOf(body: unknown): Promise<unknown> {
  if (typeof body !== 'object' || body === null || !(Symbol.asyncIterator in body)) return body;
  let text = '';
  for await (const part of body as AsyncIterable<Buffer | string>) text += part.toString();
  return text;
}
