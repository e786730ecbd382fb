import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { changeRecorded, Refused, type RecordedRows } from './recorded-changes.ts';
import { listening, originOf, shut } from './local-server.ts';

const RECORDED = join(import.meta.dirname, '../../domains/import/fixtures/other-panel.expected.json.gz');
/** Settings of that panel's core, with members that ours lacks and without some that it has. */
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

interface RecordedPanel {
  token: string;
  /** False: as before that panel had clients apart from inbounds. */
  withClients?: boolean;
  /** Client fields that this version lacks: it neither keeps nor returns them. */
  without?: readonly string[];
}

/**
 * The well-known panel with the same API, version 3.6.0, as it responded when it was recorded; requests not recorded
 * then get 404. It accepts changes of inbounds and clients, as its API description says, and includes them in its
 * responses from then on.
 */
export async function openRecordedPanel({ token, withClients = true, without = [] }: RecordedPanel) {
  const recorded = JSON.parse(gunzipSync(readFileSync(RECORDED)).toString()) as RecordedRows;
  const requests: string[] = [];
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const path = decodeURIComponent(request.url!.split('?')[0]!);
      const isKnown = request.headers.authorization === `Bearer ${token}`;
      requests.push(`${request.method} ${path}`);
      const body = isKnown ? responseTo(`${request.method} ${path}`, Buffer.concat(pieces).toString()) : undefined;
      response.writeHead(body === undefined ? 404 : 200, { 'content-type': 'application/json; charset=utf-8' });
      response.end(body === undefined ? '' : JSON.stringify(body));
    });
  });
  function responseTo(call: string, body: string): unknown {
    try {
      const obj = call.startsWith('GET ')
        ? readRecorded(recorded, call.slice('GET '.length), withClients)
        : withClients && changeRecorded(recorded, call.slice('POST '.length), JSON.parse(body || 'null'), without);
      return obj === undefined || obj === false ? undefined : { success: true, msg: '', obj };
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      return { success: false, msg: error.message, obj: null };
    }
  }
  await listening(server);
  return {
    url: `${originOf(server)}/`,
    /** As they are now. */
    clients: recorded.clients,
    inbounds: recorded.inbounds,
    /** Its requests, in order. */
    requests,
    close: async (): Promise<void> => {
      await shut(server);
    },
  };
}

/** Lists, and the calls for one inbound and one client, which that panel answers from the same rows. */
function readRecorded({ inbounds, clients }: RecordedRows, path: string, withClients: boolean): unknown {
  if (path === '/panel/api/server/status') return STATUS;
  if (path === '/panel/api/inbounds/list') return inbounds;
  const id = Number(/^\/panel\/api\/inbounds\/get\/(\d+)$/.exec(path)?.[1] ?? 0);
  if (id > 0) return inbounds.find((inbound) => inbound.id === id);
  if (!withClients) return undefined;
  if (path === '/panel/api/clients/list') return clients.map((row) => ({ ...row, externalLinks: undefined }));
  const [, verb, email] = /^\/panel\/api\/clients\/(get|traffic)\/(.+)$/.exec(path) ?? [];
  const row = clients.find((each) => each.email === email);
  if (row === undefined) {
    if (verb === 'get') throw new Refused('record not found');
    return verb === 'traffic' ? null : undefined;
  }
  const { inboundIds, traffic, externalLinks = [], ...client } = row;
  return verb === 'traffic' ? traffic : { client, inboundIds, externalLinks };
}
