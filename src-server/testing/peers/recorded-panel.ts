import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

const RECORDED = join(import.meta.dirname, '../../domains/import/fixtures/other-panel.expected.json.gz');
/** As that panel calls its core, with members that ours has not and without some that it has. */
const STATUS = {
  cpu: 12.5,
  cpuCores: 2,
  mem: { current: 300, total: 1200 },
  swap: { current: 0, total: 0 },
  disk: { current: 10, total: 100 },
  xray: { state: 'running', errorMsg: '', version: '26.6.1' },
  uptime: 86_400,
  loads: [0.1, 0.2, 0.3],
  tcpCount: 17,
  netIO: { up: 1000, down: 24_000 },
  appStats: { threads: 20, mem: 50_000_000, uptime: 4000 },
};

/**
 * The well-known panel of the same API, version 3.6.0, as it answered when it was recorded; what it was not asked then is not found.
 * @param withClients false: as before that panel knew clients apart from inbounds
 */
export async function openRecordedPanel({ token, withClients = true }: { token: string; withClients?: boolean }) {
  const recorded = JSON.parse(gunzipSync(readFileSync(RECORDED)).toString()) as Record<string, unknown>;
  const answers: Record<string, unknown> = {
    'GET /panel/api/server/status': STATUS,
    'GET /panel/api/inbounds/list': recorded['inbounds'],
    ...(withClients ? { 'GET /panel/api/clients/list': recorded['clients'] } : {}),
    ...oneByOne(recorded, withClients),
  };
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    request.resume();
    const isKnown = request.headers.authorization === `Bearer ${token}`;
    const path = decodeURIComponent(request.url!.split('?')[0]!);
    const obj = isKnown ? answers[`${request.method} ${path}`] : undefined;
    response.writeHead(obj === undefined ? 404 : 200, { 'content-type': 'application/json; charset=utf-8' });
    response.end(obj === undefined ? '' : JSON.stringify({ success: true, msg: '', obj }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    clients: recorded['clients'] as { email: string; uuid: string; subId: string }[],
    inbounds: recorded['inbounds'] as { id: number; remark: string; port: number }[],
    close: async (): Promise<void> => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

interface RecordedClient {
  email: string;
  inboundIds: number[];
  traffic: unknown;
}

/** The calls for one inbound and one client, which that panel answers out of the same rows. */
function oneByOne(recorded: Record<string, unknown>, withClients: boolean): Record<string, unknown> {
  const answers: Record<string, unknown> = {};
  for (const inbound of recorded['inbounds'] as { id: number }[])
    answers[`GET /panel/api/inbounds/get/${inbound.id}`] = inbound;
  if (!withClients) return answers;
  for (const row of recorded['clients'] as RecordedClient[]) {
    const { inboundIds, traffic, ...client } = row;
    answers[`GET /panel/api/clients/get/${row.email}`] = { client, inboundIds, externalLinks: [] };
    answers[`GET /panel/api/clients/traffic/${row.email}`] = traffic;
  }
  return answers;
}
