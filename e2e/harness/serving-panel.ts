import { startCoreClient, type CoreClient } from './core-client.ts';
import { freePort } from '../../src-server/testing/free-port.ts';
import { allowPrivateEgress } from './open-egress.ts';
import { disposePanel, startPanel } from './panel-process.ts';
import { startTargetServer } from './target-server.ts';
import { addVlessInbound, connectVless } from './vless-inbound.ts';
import { waitFor } from './wait-for.ts';

interface Status {
  core: { state: string; pid: number | null };
  appStats: { pid: number };
}
interface Traffic {
  up: number;
  down: number;
  enable: boolean;
}

/** A panel with a vless inbound, its real clients, and the site they request. @param inbound more of its members */
export async function startServingPanel(options: Parameters<typeof startPanel>[0] = {}, inbound: object = {}) {
  const site = await startTargetServer();
  const panel = await startPanel(options);
  await allowPrivateEgress(panel.api);
  const port = await freePort();
  const { id: inboundId } = await addVlessInbound(panel.api, { port, ...inbound });
  const clients: CoreClient[] = [];
  const kept = (client: CoreClient): CoreClient => {
    clients.push(client);
    return client;
  };

  const serving = {
    /** Replace it after a restart. */
    panel,
    site,
    port,
    inboundId,
    status: () => serving.panel.api.get<Status>('/panel/api/server/status'),
    corePid: async (): Promise<number | null> => (await serving.status()).core.pid,
    add: (email: string, limits: object = {}) =>
      serving.panel.api.post('/panel/api/clients/add', { client: { email, ...limits }, inboundIds: [inboundId] }),
    /** A core that connects as this client. @param address its source address */
    connect: async (email: string, address?: string) =>
      kept(await connectVless(serving.panel.api, port, email, address === undefined ? {} : { sendThrough: address })),
    /** A core that connects in another way. */
    connectBy: async (outbound: Record<string, unknown>) => kept(await startCoreClient(outbound)),
    async newClient(email: string, limits: object = {}, address?: string): Promise<CoreClient> {
      await serving.add(email, limits);
      return serving.connect(email, address);
    },
    traffic: (email: string) => serving.panel.api.get<Traffic>(`/panel/api/clients/traffic/${email}`),
    /** Waits until the counters of an active client were read twice from now on, so that the loop has run. */
    async countedTwice(email: string): Promise<void> {
      for (let reading = 0; reading < 2; reading++) {
        const before = (await serving.traffic(email)).down;
        await waitFor(
          'a reading of the counters',
          async () => (await serving.traffic(email)).down > before,
          60_000,
          200,
        );
      }
    },
    isRefused: (client: CoreClient): Promise<boolean> =>
      client.fetchBytes(`${site.url}/bytes/10`, 2_000).then(
        () => false,
        () => true,
      ),
    async close(): Promise<void> {
      for (const client of clients) await client.close();
      await disposePanel(serving.panel);
      await site.close();
    },
  };
  return serving;
}
export type ServingPanel = Awaited<ReturnType<typeof startServingPanel>>;
