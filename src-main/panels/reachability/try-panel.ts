import type { ReachabilityRun, ReachabilityWay } from '../../bridge/maintenance.ts';
import { plainText } from '../reading/tolerant.ts';
import type { PanelApi } from '../maintenance/panel-api.ts';
import { findWays } from './find-ways.ts';
import { tryWays, type Core } from './try-ways.ts';

export interface PanelTrial {
  panelId: string;
  downloadUrl: string;
  addressUrl: string;
  /** E-mail; empty = any usable client. */
  client: string;
  signal: AbortSignal;
  onProgress: (done: number, total: number) => void;
}

/** Tries every inbound of a panel from here. Rejects only when it is cancelled. */
export async function tryPanel(
  api: PanelApi,
  program: () => Promise<Core>,
  trial: PanelTrial,
  clock: () => number,
): Promise<ReachabilityRun> {
  const { panelId, signal, onProgress } = trial;
  const run: ReachabilityRun = { panelId, atMs: clock(), words: '', ways: [] };
  const tried: ReachabilityWay[] = [];
  try {
    const core = await program();
    const { found, unusable } = await findWays(api, trial.client, clock());
    const total = found.length;
    onProgress(0, total);
    await tryWays(core, found, {
      downloadUrl: new URL(trial.downloadUrl),
      addressUrl: trial.addressUrl === '' ? null : new URL(trial.addressUrl),
      signal,
      onWay(way) {
        tried.push(way);
        onProgress(tried.length, total);
      },
    });
    signal.throwIfAborted();
    tried.sort((one, other) => one.inboundId - other.inboundId || one.address.localeCompare(other.address));
    return { ...run, ways: [...tried, ...unusable] };
  } catch (error) {
    signal.throwIfAborted();
    return { ...run, words: plainText(error instanceof Error ? error.message : String(error)) || 'failed' };
  }
}
