import { expect } from 'vitest';
import type { Api } from './api.ts';
import type { CoreClient, Transfer } from './core-client.ts';
import { freePort } from './free-port.ts';
import { allowPrivateEgress } from './open-egress.ts';
import { disposePanel, startPanel, type PanelProcess } from './panel-process.ts';
import { report } from './report.ts';
import { startTargetServer, type TargetServer } from './target-server.ts';
import { addVlessInbound, connectVless } from './vless-inbound.ts';
import { pause, waitFor } from './wait-for.ts';

interface Status {
  core: { state: string; pid: number | null };
  appStats: { pid: number };
}

/** A panel with a client that moves bytes and a caller that adds clients, whatever is killed meanwhile. */
export interface TrafficAndWrites {
  panel: PanelProcess;
  status(): Promise<Status>;
  /** Of the moving client, as it received it. */
  receivedBytes(): number;
  /** E-mails whose addition was acknowledged. */
  acknowledged: readonly string[];
  /** SIGKILL for the serving process; resolves when the next one answers and its core runs. @returns ms without an answer */
  killPanel(): Promise<number>;
  /** From now on this panel is asked and written to. */
  talkTo(other: Api): void;
  /** Ends traffic and writes: every acknowledged client is there, and what was received is counted, and nothing twice. */
  settle(): Promise<void>;
  close(): Promise<void>;
}

/** @param options.database on which the panel starts; absent = the file in its data folder */
export async function startTrafficAndWrites(options: { database?: string } = {}): Promise<TrafficAndWrites> {
  const site: TargetServer = await startTargetServer();
  const panel = await startPanel(options);
  let { api } = panel;
  await allowPrivateEgress(panel.api);
  const port = await freePort();
  const inboundId = (await addVlessInbound(panel.api, { port })).id;
  await panel.api.post('/panel/api/clients/add', { client: { email: 'mover' }, inboundIds: [inboundId] });
  const client: CoreClient = await connectVless(panel.api, port, 'mover');
  const stop = new AbortController();
  const acknowledged: string[] = [];
  let receivedBefore = 0;
  let transfer: Transfer | null = null;
  const received = (): number => receivedBefore + (transfer?.receivedBytes() ?? 0);
  const status = (): Promise<Status> => api.get<Status>('/panel/api/server/status');

  async function keepMoving(): Promise<void> {
    const stopped = new Promise((resolve) => stop.signal.addEventListener('abort', resolve));
    while (!stop.signal.aborted) {
      try {
        transfer = await client.stream(`${site.url}/drip/4000000`);
        await Promise.race([transfer.ended, stopped]);
        transfer.abort();
        receivedBefore += transfer.receivedBytes();
        transfer = null;
      } catch {
        await pause(100);
      }
    }
  }

  async function keepWriting(): Promise<void> {
    for (let next = 0; !stop.signal.aborted; next++) {
      const email = `written-${next}`;
      try {
        await api.post('/panel/api/clients/add', { client: { email }, inboundIds: [inboundId] });
        acknowledged.push(email);
      } catch {
        await pause(20);
      }
    }
  }
  const both = Promise.all([keepMoving(), keepWriting()]);

  return {
    panel,
    status,
    receivedBytes: received,
    acknowledged,
    talkTo: (other) => void (api = other),
    async killPanel() {
      const { pid } = (await status()).appStats;
      process.kill(pid, 'SIGKILL');
      const killedAt = performance.now();
      await waitFor('the API after a kill', async () => (await status()).appStats.pid !== pid, 60_000, 20);
      const awayMs = performance.now() - killedAt;
      await waitFor('the core after a kill', async () => (await status()).core.state === 'running');
      return awayMs;
    },
    async settle() {
      stop.abort();
      await both;
      const present = new Set(
        (await api.get<{ email: string }[]>('/panel/api/clients/list')).map(({ email }) => email),
      );
      expect(acknowledged.length).toBeGreaterThan(0);
      expect(acknowledged.filter((email) => !present.has(email))).toEqual([]);
      // Of a core that was read to its end the last bytes may still be on their way into the ledger.
      const counted = await waitFor('what was received in the counters', async () => {
        const { down } = await api.get<{ down: number }>('/panel/api/clients/traffic/mover');
        return down >= received() && down;
      });
      report(
        `${acknowledged.length} writes acknowledged; received ${received()}, counted ${counted}, sent ${site.sentBytes()}`,
      );
      expect(counted).toBeLessThanOrEqual(site.sentBytes());
    },
    async close() {
      stop.abort();
      await both;
      await client.close();
      await disposePanel(panel);
      await site.close();
    },
  };
}
