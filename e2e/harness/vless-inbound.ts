import type { Api } from './api.ts';
import { startCoreClient, type CoreClient } from './core-client.ts';
import { freePort } from '../../src-server/testing/free-port.ts';

/** A plain vless inbound of this machine, with these differences. */
export const vlessInbound = (port: number, more: object = {}): object => ({
  enable: true,
  listen: '127.0.0.1',
  port,
  protocol: 'vless',
  settings: { decryption: 'none' },
  streamSettings: { network: 'tcp', security: 'none' },
  ...more,
});

/** Adds a {@link vlessInbound}, on a free port unless one is given. */
export async function addVlessInbound<T = { id: number; port: number }>(
  api: Api,
  { port, ...more }: { port?: number } & Record<string, unknown> = {},
): Promise<T> {
  return api.post<T>('/panel/api/inbounds/add', vlessInbound(port ?? (await freePort()), more));
}

/** A core that connects as this client of a {@link vlessInbound}. @param outbound additional members of its outbound */
export async function connectVless(api: Api, port: number, email: string, outbound: object = {}): Promise<CoreClient> {
  const { client } = await api.get<{ client: { id: string } }>(`/panel/api/clients/get/${email}`);
  const settings = { address: '127.0.0.1', port, id: client.id, encryption: 'none' };
  return startCoreClient({ protocol: 'vless', settings, ...outbound });
}
