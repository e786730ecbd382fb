import { expect } from 'vitest';
import type { Api } from './api.ts';
import type { Transfer } from './core-client.ts';
import type { PanelProcess } from './panel-process.ts';
import { report } from './report.ts';
import { startServingPanel, type ServingPanel } from './serving-panel.ts';
import { pause, waitFor } from './wait-for.ts';

/** A panel with an active client and a caller that adds clients, through all kills. */
export interface TrafficAndWrites {
  panel: PanelProcess;
  status: ServingPanel['status'];
  /** Bytes received by the active client, as it counted them. */
  receivedBytes(): number;
  /** E-mails whose addition was acknowledged. */
  acknowledged: readonly string[];
  /** SIGKILLs the serving process; resolves when the next one and its core run. @returns ms without a response */
  killPanel(): Promise<number>;
  /** Reads and writes go to this panel from now on. */
  talkTo(other: Api): void;
  /** Ends traffic and writes: every acknowledged client exists, all received bytes are counted, and none twice. */
  settle(): Promise<void>;
  close(): Promise<void>;
}

/** @param options.database for the panel; absent = the file in its data folder */
export async function startTrafficAndWrites(options: { database?: string } = {}): Promise<TrafficAndWrites> {
  const serving = await startServingPanel(options);
  const { panel, site } = serving;
  let { api } = panel;
  const client = await serving.newClient('active');
  const stop = new AbortController();
  const acknowledged: string[] = [];
  let receivedBefore = 0;
  let transfer: Transfer | null = null;
  const received = (): number => receivedBefore + (transfer?.receivedBytes() ?? 0);
  const status = (): ReturnType<ServingPanel['status']> => api.get('/panel/api/server/status');

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
        await api.post('/panel/api/clients/add', { client: { email }, inboundIds: [serving.inboundId] });
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
      // When a core was read to its end, its last bytes may still be on their way into the ledger.
      const counted = await waitFor('what was received in the counters', async () => {
        const { down } = await api.get<{ down: number }>('/panel/api/clients/traffic/active');
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
      await serving.close();
    },
  };
}
