import { setTimeout as sleep } from 'node:timers/promises';
import { inParallel } from '../../../src-server/concurrency.ts';
import { probeConfig } from '../../../src-server/core/probe/probe-config.ts';
import { reservePorts, startProbeCore, type ProbeCore } from '../../../src-server/core/probe/probe-core.ts';
import { tcpProbe } from '../../../src-server/core/probe/tcp-probe.ts';
import type { ReachabilityWay } from '../../bridge/maintenance.ts';
import { plainText } from '../reading/tolerant.ts';
import type { FoundWay } from './find-ways.ts';
import { exitAddress, measure } from './measure.ts';

/** Concurrent downloads would distort each other. */
const AT_ONCE = 2;
/** Most ways per core. */
const LANES = 32;
/** The core's output about a failure may still be on its way. */
const WORDS_MS = 150;

export interface Core {
  binary: string;
  env: NodeJS.ProcessEnv;
  /** Its working folder; its config is not written to disk. */
  folder: string;
}

interface Trial {
  downloadUrl: URL;
  /** Null: it is not asked. */
  addressUrl: URL | null;
  signal: AbortSignal;
  onWay: (way: ReachabilityWay) => void;
}

/** Tries each way through a core of its own that ends with the trial. Each way is reported once. */
export async function tryWays(core: Core, ways: readonly FoundWay[], trial: Trial): Promise<void> {
  for (let from = 0; from < ways.length && !trial.signal.aborted; from += LANES)
    await tryBatch(core, ways.slice(from, from + LANES), trial);
}

async function tryBatch(core: Core, ways: readonly FoundWay[], trial: Trial): Promise<void> {
  const { signal, onWay } = trial;
  const tagged = ways.map(({ outbound }, at) => ({ ...outbound, tag: `way-${at}` }));
  const { ports, release } = await reservePorts(ways.length);
  const lanes = tagged.map(({ tag }, at) => ({ tag, port: ports[at]! }));
  await release();
  const started = await startProbeCore(probeConfig(lanes, tagged), ports, { ...core, isUnwritten: true, signal });
  if ('failed' in started) {
    // One of them stops the core from starting: each is tried alone.
    if (ways.length > 1 && !signal.aborted) for (const way of ways) await tryBatch(core, [way], trial);
    else for (const { way } of ways) onWay({ ...way, state: 'unusable', words: plainText(started.failed) });
    return;
  }
  try {
    await inParallel(lanes, AT_ONCE, async ({ tag, port }) => {
      const found = ways[Number(tag.slice('way-'.length))]!;
      if (!signal.aborted) onWay(await tryWay(started, { ...found, tag, port }, trial));
    });
  } finally {
    await started.stop();
  }
}

async function tryWay(
  core: ProbeCore,
  { way, outbound, isUdp, tag, port }: FoundWay & { tag: string; port: number },
  trial: Trial,
): Promise<ReachabilityWay> {
  const { downloadUrl, addressUrl, signal } = trial;
  const dialled = isUdp ? null : await tcpProbe({ ...outbound, tag }, signal);
  const connectMs = dialled?.success === true ? dialled.delay : null;
  // A single failure may be this network's; only a second one is reported.
  for (let left = 1; ; left -= 1) {
    try {
      const measured = await measure(port, downloadUrl, signal);
      const exit = addressUrl === null ? '' : await exitAddress(port, addressUrl, signal);
      return { ...way, state: 'ok', connectMs, ...measured, exitAddress: exit };
    } catch (error) {
      if (left > 0 && !signal.aborted) continue;
      if (core.log.reasonOf(tag) === '') await sleep(WORDS_MS);
      const ended = core.endedWith();
      const message = dialled?.success === false ? `${way.address}: ${dialled.error ?? ''}` : (error as Error).message;
      const words = ended === null ? core.log.reasonOf(tag) || message : `the core ended: ${ended}`;
      return { ...way, state: 'blocked', connectMs, words: plainText(words) };
    }
  }
}
