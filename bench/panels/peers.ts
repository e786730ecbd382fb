import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { listening, originOf } from '../../src-server/testing/peers/local-server.ts';

export const [PANELS, CLIENTS] = [20, 10_000];
const INBOUNDS = 5;

const client = (panel: number, index: number): object => ({
  email: `client-${index}.p${panel}@example.org`,
  subId: randomUUID().slice(0, 16),
  uuid: randomUUID(),
  comment: index % 3 === 0 ? `customer ${index}` : '',
  enable: true,
  totalGB: 0,
  expiryTime: 0,
  traffic: { up: index, down: index },
});

/** New figures at every reading, as on an active machine: each one is drawn. */
const status = (): object => ({
  cpu: Math.random() * 40,
  mem: { current: 400 + Math.random() * 100, total: 1_000 },
  core: { state: 'running', version: '26.6.1' },
  netIO: { up: Math.round(Math.random() * 1e6), down: Math.round(Math.random() * 1e7) },
});

/** Panels that answer at once with 10,000 clients each: only this computer's part is measured. */
export async function openPeers(): Promise<Server[]> {
  const page = { total: CLIENTS, items: [{ updatedAt: 1 }], summary: { total: CLIENTS, onlineCount: 7 } };
  const responses: Record<string, () => unknown> = {
    'server/status': status,
    'clients/list/paged': () => page,
    'inbounds/list/counted': () =>
      Array.from({ length: INBOUNDS }, (_, index) => ({
        id: index + 1,
        remark: `inbound ${index}`,
        protocol: 'vless',
        port: 4430 + index,
        enable: true,
      })),
  };
  return Promise.all(
    Array.from({ length: PANELS }, async (_, panel) => {
      const everybody = JSON.stringify({
        success: true,
        msg: '',
        obj: Array.from({ length: CLIENTS }, (__, index) => client(panel, index)),
      });
      const server = createServer((request, response) => {
        request.resume();
        const path = request.url!.replace('/panel/api/', '').split('?').at(0) ?? '';
        const obj = responses[path]?.() ?? null;
        response.end(path === 'clients/list' ? everybody : JSON.stringify({ success: obj !== null, msg: '', obj }));
      });
      await listening(server);
      return server;
    }),
  );
}

export const addressOf = (server: Server): string => `${originOf(server)}/`;

export function closePeers(peers: readonly Server[]): void {
  for (const peer of peers) {
    peer.close();
    peer.closeAllConnections();
  }
}
