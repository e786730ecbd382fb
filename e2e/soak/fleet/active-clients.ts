import { startCoreClient, type CoreClient } from '../../harness/core-client.ts';
import type { PanelProcess } from '../../harness/panel-process.ts';
import { startTargetServer } from '../../harness/target-server.ts';
import { pause } from '../../harness/wait-for.ts';
import { API, inboundsOf, type Member } from './members.ts';

const DRIP_BYTES = 300_000;

/** Clients with traffic; no random edit concerns them. */
export const isActive = (email: string): boolean => email.startsWith('active');
/** Those with traffic through the node at this place of the list. */
export const activeEmailsOf = (at: number): string[] => [`active-${at}`, 'active-everywhere'];

/** Clients of the top panel that download through its nodes until they are stopped. */
export async function startActiveClients(top: PanelProcess, members: readonly Member[]) {
  const site = await startTargetServer();
  const clients: CoreClient[] = [];
  const stopped = new AbortController();
  const moving: Promise<void>[] = [];
  for (const [at, { inbounds }] of members.entries()) await start(`active-${at}`, [inbounds[0]!]);
  await start(
    'active-everywhere',
    members.map(({ inbounds }) => inbounds[1]!),
  );

  /** A client of the master that downloads through each of these inbounds until it is stopped. */
  async function start(email: string, at: { id: number; port: number }[]): Promise<void> {
    await top.api.post(`${API}/clients/add`, { client: { email }, inboundIds: at.map(({ id }) => id) });
    const { client } = await top.api.get<{ client: { id: string } }>(`${API}/clients/get/${email}`);
    for (const { port } of at) {
      const settings = { address: '127.0.0.1', port, id: client.id, encryption: 'none' };
      const started = await startCoreClient({ protocol: 'vless', settings });
      clients.push(started);
      moving.push(keepMoving(started));
    }
  }

  async function keepMoving(client: CoreClient): Promise<void> {
    while (!stopped.signal.aborted) {
      await client.fetchBytes(`${site.url}/bytes/${DRIP_BYTES}`, 5_000).catch(() => undefined);
      await pause(500);
    }
  }

  async function stop(): Promise<void> {
    stopped.abort();
    await Promise.all(moving);
  }

  return {
    sentBytes: () => site.sentBytes(),
    stop,
    async close(): Promise<void> {
      await stop();
      for (const client of clients) await client.close();
      await site.close();
    },
  };
}

/** All the panel ever counted, whatever was reset; `clients/traffic` on a node reports the usage everywhere. */
export async function trafficOf(
  panel: PanelProcess,
  email: string,
): Promise<{ lifetimeUp: number; lifetimeDown: number }> {
  const found = (await inboundsOf(panel))
    .flatMap(({ clientStats }) => clientStats)
    .find((each) => each.email === email);
  if (found === undefined) throw new Error(`${email} is not there`);
  return found;
}
