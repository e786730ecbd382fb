import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import {
  clientsOf,
  CREATED_AT_MS,
  EVERYWHERE,
  INBOUNDS_PER_NODE,
  NODES,
  portOf,
  subIdOf,
  tagOf,
  uuidOf,
  type Manner,
  type NodeFigures,
  type Order,
} from './shape.ts';

/*
 * A process that answers as a hundred panels: the part of the API that a master calls on a node, with the headers and
 * formats of the real responses. One client in ten moves bytes between two lists.
 */

const SLOW_MS = 2_000;
const guidOf = (node: number): string => `00000000-0000-4000-9000-${String(node).padStart(12, '0')}`;
const startedAtMs = Date.now();
let isFilled = false;
let isMoving = false;

function simulatedNode(node: number) {
  const guid = guidOf(node);
  const everywhere = { ...EVERYWHERE, uuid: uuidOf(EVERYWHERE.id), subId: subIdOf(EVERYWHERE.id), inbound: 0 };
  const clients = [...clientsOf(node), everywhere].map((each) => ({ ...each, bytes: 0, quotaBytes: 0 }));
  const byEmail = new Map(clients.map((each) => [each.email, each]));
  /** One in ten, without the shared one. */
  const moving = clients.filter(({ id }) => id % 10 === 0);
  const connections = new Set<ServerResponse>();
  const figures = { changedAtMs: 0, listedAtMs: 0, gapMs: 0, readings: 0 };
  let manner: Manner = 'well';
  let responseCount = 0;
  let revision = 0;

  const entryOf = ({ uuid, email, subId, quotaBytes }: (typeof clients)[number]): string =>
    `{"id":"${uuid}","flow":"","email":"${email}","limitIp":0,"totalGB":${quotaBytes},"expiryTime":0,"enable":true,"tgId":0,` +
    `"subId":"${subId}","comment":"","reset":0,"created_at":${CREATED_AT_MS},"updated_at":${CREATED_AT_MS}}`;
  const countersOf = ({ id, uuid, email, subId, bytes, quotaBytes, inbound }: (typeof clients)[number]): string =>
    `{"id":${id},"inboundId":${inbound + 1},"enable":true,"email":"${email}","uuid":"${uuid}","subId":"${subId}","up":${bytes},` +
    `"down":${bytes * 2},"expiryTime":0,"total":${quotaBytes},"reset":0,"resetDay":0,"lastOnline":${bytes === 0 ? 0 : Date.now()}}`;

  function inbounds(): string {
    const all = Array.from({ length: INBOUNDS_PER_NODE }, (_, inbound) => {
      const own = clients.filter((each) => each.inbound === inbound);
      const up = own.reduce((sum, { bytes }) => sum + bytes, 0);
      return (
        `{"id":${inbound + 1},"enable":true,"remark":"","listen":"127.0.0.1","port":${portOf(inbound)},"protocol":"vless",` +
        `"expiryTime":0,"total":0,"up":${up},"down":${up * 2},"trafficReset":"never","lastTrafficResetTime":0,"nodeId":null,` +
        `"originNodeGuid":"${guid}","tag":"${tagOf(inbound)}","settings":{"decryption":"none","clients":[${own.map(entryOf).join()}]},` +
        `"streamSettings":{"network":"tcp","security":"none"},"sniffing":null,"fallbackParent":null,` +
        `"clientStats":[${own.map(countersOf).join()}]}`
      );
    });
    return `{"success":true,"msg":"","obj":[${isFilled ? all.join() : ''}]}`;
  }

  const status = (): object => ({
    cpu: 3,
    mem: { current: 400_000_000, total: 2_000_000_000 },
    core: { state: 'running', errorMsg: '', version: '26.7.28' },
    panelVersion: '0.1.0',
    panelGuid: guid,
    uptime: (Date.now() - startedAtMs) / 1000,
    netIO: { up: 1_000, down: 2_000 },
  });

  /** @returns the response's `obj`; undefined = there is no such call */
  async function resultOf(path: string, request: IncomingMessage): Promise<unknown> {
    if (path === 'server/status') return status();
    if (path === 'server/descendants') return [];
    if (path === 'clients/onlinesByGuid') return { [guid]: isMoving ? moving.map(({ email }) => email) : [] };
    if (path === 'clients/activeInbounds')
      return { [guid]: isMoving ? [...new Set(moving.map(({ inbound }) => tagOf(inbound)))] : [] };
    if (path === 'clients/clientIpsByGuid') return { [guid]: {} };
    if (path === 'inbounds/pushClientTraffics' || path === 'server/clientIps') return null;
    const [, verb = '', email = ''] = /^clients\/(get|update)\/(.*)$/.exec(path) ?? [];
    const client = byEmail.get(email);
    if (client === undefined) return undefined;
    if (verb === 'update') {
      client.quotaBytes = ((await json(request)) as { totalGB: number }).totalGB;
      revision += 1;
      if (client.id === EVERYWHERE.id) figures.changedAtMs = Date.now();
      return null;
    }
    return { client: { email, subId: client.subId }, inboundIds: [client.inbound + 1] };
  }

  function list(request: IncomingMessage, response: ServerResponse): void {
    const now = Date.now();
    if (figures.listedAtMs > 0) figures.gapMs = Math.max(figures.gapMs, now - figures.listedAtMs);
    figures.listedAtMs = now;
    figures.readings += 1;
    if (isMoving) {
      revision += 1;
      for (const client of moving) client.bytes += 1_000;
    }
    const tag = `W/"${startedAtMs}-${revision}-${isFilled}"`;
    response.setHeader('etag', tag);
    response.setHeader('x-answer-order', `${startedAtMs}.${++responseCount}`);
    if (request.headers['if-none-match'] === tag) return void response.writeHead(304).end();
    response.end(inbounds());
  }

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    connections.add(response);
    response.once('close', () => connections.delete(response));
    if (manner === 'hangs') return;
    if (manner === 'slow') await delay(SLOW_MS);
    const path = decodeURIComponent(new URL(request.url!, 'http://node').pathname.replace('/panel/api/', ''));
    response.setHeader('content-type', 'application/json');
    response.setHeader('x-node-caps', 'zstd');
    if (path === 'inbounds/list') return list(request, response);
    const obj = await resultOf(path, request);
    request.resume();
    response.end(
      JSON.stringify(obj === undefined ? { success: false, msg: `no ${path}` } : { success: true, msg: '', obj }),
    );
  }

  const server: Server = createServer((request, response) => {
    // A request whose connection ends when the node's behaviour changes needs no response.
    respond(request, response).catch(() => response.destroy());
  });
  // Like a panel's listener.
  server.keepAliveTimeout = 65_000;
  let port = 0;
  return {
    async listen(): Promise<number> {
      await once(server.listen(port, '127.0.0.1'), 'listening');
      ({ port } = server.address() as AddressInfo);
      return port;
    },
    async behave(next: Manner): Promise<void> {
      if (manner === 'refuses' && next !== 'refuses') await this.listen();
      if (next === 'refuses' && manner !== 'refuses') server.close();
      // Hanging requests are released, so that the node recovers at once.
      if (next !== manner) server.closeAllConnections();
      manner = next;
    },
    /** Counts since this was last read. */
    figures() {
      const { changedAtMs, gapMs, listedAtMs, readings } = figures;
      const sinceMs = listedAtMs === 0 ? 0 : Date.now() - listedAtMs;
      Object.assign(figures, { gapMs: 0, listedAtMs: 0, readings: 0 });
      return { changedAtMs, gapMs: Math.max(gapMs, sinceMs), readings };
    },
  };
}

const nodes = Array.from({ length: NODES }, (_, node) => simulatedNode(node));
const ports = await Promise.all(nodes.map((node) => node.listen()));

process.on('message', (order: Order) => {
  void (async () => {
    isFilled = order.isFilled ?? isFilled;
    isMoving = order.isMoving ?? isMoving;
    if (order.manners !== undefined)
      for (const [at, node] of nodes.entries()) await node.behave(order.manners[at] ?? 'well');
    process.send!(nodes.map((node) => node.figures()) satisfies NodeFigures[]);
  })();
});
process.once('disconnect', () => process.exit());
process.send!(ports);
