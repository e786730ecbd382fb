import { setTimeout as sleep } from 'node:timers/promises';
import { DomainError } from '../../contract/domain-error.ts';
import type { JsonObject } from '../config/source.ts';
import { textOf } from '../config/json-access.ts';
import type { CheckConfig } from '../process/config-check.ts';
import { withoutCulprits } from '../process/output/culprits.ts';
import { objectsOf } from '../apply/compare/inbound-parts.ts';
import { inParallel } from '../../concurrency.ts';
import { neededOutbounds, probeConfig, type ProbeLane } from './probe-config.ts';
import { reservePorts, startProbeCore, type ProbeCore } from './probe-core.ts';
import type { OutboundResult } from './probe-result.ts';
import { socksGet } from './socks-get.ts';

export interface RequestProbeDeps {
  /** Config test by the installed core. */
  check: CheckConfig;
  /** The executable and its environment. @throws {Error} without a usable one */
  program: () => Promise<{ binary: string; env: NodeJS.ProcessEnv }>;
  folder: string;
}

export interface RequestProbe {
  outbounds: readonly JsonObject[];
  /** The template's, for chains; a tag in both lists means the tested one. */
  known: readonly JsonObject[];
  url: URL;
  mode: 'http' | 'real';
  signal?: AbortSignal | undefined;
  onResult: (result: OutboundResult) => void;
}

const AT_ONCE = 16;
const TIMEOUT_MS = 10_000;
const LOG_MS = 150;

/** Sends requests through outbounds with one separate core for all of them. Every outbound is reported once. */
export async function requestProbe(deps: RequestProbeDeps, probe: RequestProbe): Promise<void> {
  const { mode, onResult } = probe;
  const failed = (tag: string, error: string): void => onResult({ tag, success: false, delay: 0, mode, error });
  const tags = probe.outbounds.map(({ tag }) => textOf(tag));
  let program: Awaited<ReturnType<RequestProbeDeps['program']>>;
  try {
    program = await deps.program();
  } catch (error) {
    for (const tag of tags) failed(tag, error instanceof Error ? error.message : String(error));
    return;
  }
  const run = async (wanted: readonly string[]): Promise<void> => {
    const { outbounds, refused } = await usable(wanted, probe, deps.check);
    for (const [tag, reason] of refused) failed(tag, reason);
    const sound = wanted.filter((tag) => !refused.has(tag));
    if (sound.length === 0) return;
    const { ports, release } = await reservePorts(sound.length);
    const lanes = sound.map((tag, index): ProbeLane => ({ tag, port: ports[index]! }));
    await release();
    const core = await startProbeCore(probeConfig(lanes, outbounds), ports, {
      ...program,
      folder: deps.folder,
      signal: probe.signal,
    });
    if ('failed' in core) {
      // One of them ends the core at its start: tested alone, each gets its own result.
      if (sound.length > 1 && probe.signal?.aborted !== true) for (const tag of sound) await run([tag]);
      else for (const tag of sound) failed(tag, core.failed);
      return;
    }
    try {
      await inParallel(lanes, AT_ONCE, async (lane) => onResult(await measure(core, lane, probe)));
    } finally {
      await core.stop();
    }
  };
  await run(tags);
}

async function measure(core: ProbeCore, { tag, port }: ProbeLane, probe: RequestProbe): Promise<OutboundResult> {
  const { mode, url, signal } = probe;
  try {
    const isWarm = mode === 'http';
    return { tag, success: true, mode, ...(await socksGet({ port, url, isWarm, timeoutMs: TIMEOUT_MS, signal })) };
  } catch (error) {
    // The core's log lines about it may still be on their way.
    if (core.log.reasonOf(tag) === '') await sleep(LOG_MS);
    const ended = core.endedWith();
    const message = error instanceof Error ? error.message : String(error);
    const reason = ended === null ? core.log.reasonOf(tag) || message : `core process exited: ${ended}`;
    return { tag, success: false, delay: 0, mode, error: reason };
  }
}

/** The outbounds the core accepts, and why it refuses the others, or did not finish testing them. */
async function usable(
  tags: readonly string[],
  probe: RequestProbe,
  check: CheckConfig,
): Promise<{ outbounds: JsonObject[]; refused: Map<string, string> }> {
  try {
    return await accepted(tags, probe, check);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return { outbounds: [], refused: new Map(tags.map((tag) => [tag, String(error.params['text'])])) };
  }
}

async function accepted(
  tags: readonly string[],
  { known, outbounds }: RequestProbe,
  check: CheckConfig,
): Promise<{ outbounds: JsonObject[]; refused: Map<string, string> }> {
  const config = probeConfig([], neededOutbounds(tags, [...known, ...outbounds]));
  const reason = await check(config);
  if (reason === '') return { outbounds: objectsOf(config['outbounds']), refused: new Map() };
  const reduced = await withoutCulprits(config, reason, check);
  if (reduced.reason !== '') return { outbounds: [], refused: new Map(tags.map((tag) => [tag, reduced.reason])) };
  const refused = new Map(
    reduced.leftOut.map(({ name, reason: why }) => [name, why.slice(why.lastIndexOf(' > ') + 1).replace(/^> /, '')]),
  );
  return { outbounds: objectsOf(reduced.config['outbounds']), refused };
}
