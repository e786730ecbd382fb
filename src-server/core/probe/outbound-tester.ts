import type { Json, JsonObject } from '../config/source.ts';
import { isJsonObject, textOf } from '../config/json-access.ts';
import { inParallel } from '../../concurrency.ts';
import type { OutboundResult, ProbeMode } from './probe-result.ts';
import { isOverUdp } from './probe-target.ts';
import { requestProbe, type RequestProbeDeps } from './request-probe.ts';
import { tcpProbe } from './tcp-probe.ts';

export interface TestBatch {
  outbounds: readonly Json[];
  /** The template's outbounds, for chains; a text says why they could not be read. */
  known: readonly JsonObject[] | string;
  mode: ProbeMode;
  /** The URL to fetch; a text says why there is none. */
  url: URL | string;
  signal?: AbortSignal | undefined;
  onProgress?: (done: number) => void;
}

/** Results in the order of the batch. Never rejects because of an outbound. */
export type TestOutbounds = (batch: TestBatch) => Promise<OutboundResult[]>;

const DIALS_AT_ONCE = 8;
const UNTESTABLE: Readonly<Record<string, string>> = {
  blackhole: 'Blocked/blackhole outbound cannot be tested',
  block: 'Blocked/blackhole outbound cannot be tested',
  loopback: 'Loopback outbound cannot be tested',
  freedom: 'Direct/DNS outbound cannot be tested',
  direct: 'Direct/DNS outbound cannot be tested',
  dns: 'Direct/DNS outbound cannot be tested',
};

/** Tests outbounds; requests go through one temporary core at a time. */
export function createOutboundTester(deps: RequestProbeDeps): TestOutbounds {
  let isBusy = false;
  return async ({ outbounds, known, mode, url, signal, onProgress }) => {
    const results: (OutboundResult | undefined)[] = outbounds.map(() => undefined);
    const requested = new Map<string, number>();
    const note = (index: number, result: OutboundResult): void => {
      results[index] = result;
      onProgress?.(results.filter((known_) => known_ !== undefined).length);
    };
    const dialled: number[] = [];
    for (const [index, outbound] of outbounds.entries()) {
      if (mode === 'tcp' && isJsonObject(outbound) && !isOverUdp(outbound)) {
        dialled.push(index);
        continue;
      }
      const lane = mode === 'tcp' ? 'http' : mode;
      const problem = problemOf(outbound, requested) ?? (typeof known === 'string' ? known : null);
      const tag = isJsonObject(outbound) ? textOf(outbound['tag']) : '';
      const refusal = problem ?? (typeof url === 'string' ? url : null);
      if (refusal === null) requested.set(tag, index);
      else note(index, { tag, success: false, delay: 0, mode: lane, error: refusal });
    }
    const requests = async (): Promise<void> => {
      if (requested.size === 0 || typeof known === 'string' || typeof url === 'string') return;
      const lane = mode === 'real' ? 'real' : 'http';
      if (isBusy) {
        const error = 'Another outbound test is already running, please wait';
        for (const [tag, index] of requested) note(index, { tag, success: false, delay: 0, mode: lane, error });
        return;
      }
      isBusy = true;
      try {
        const wanted = [...requested.values()].map((index) => outbounds[index] as JsonObject);
        const onResult = (result: OutboundResult): void => note(requested.get(result.tag)!, result);
        await requestProbe(deps, { outbounds: wanted, known, url, mode: lane, signal, onResult });
      } finally {
        isBusy = false;
      }
    };
    await Promise.all([
      inParallel(dialled, DIALS_AT_ONCE, async (index) =>
        note(index, await tcpProbe(outbounds[index] as JsonObject, signal)),
      ),
      requests(),
    ]);
    return results.map(
      (result, index) =>
        result ?? { tag: tagAt(outbounds, index), success: false, delay: 0, mode, error: 'not tested' },
    );
  };
}

function problemOf(outbound: Json, requested: ReadonlyMap<string, number>): string | null {
  if (!isJsonObject(outbound)) return 'Invalid outbound JSON';
  const tag = textOf(outbound['tag']);
  if (tag === '') return 'Outbound has no tag';
  if (tag === 'blocked') return UNTESTABLE['block']!;
  const protocol = textOf(outbound['protocol']).toLowerCase();
  if (Object.hasOwn(UNTESTABLE, protocol)) return UNTESTABLE[protocol]!;
  return requested.has(tag) ? `Duplicate outbound tag in batch: ${tag}` : null;
}

function tagAt(outbounds: readonly Json[], index: number): string {
  const outbound = outbounds[index];
  return isJsonObject(outbound) ? textOf(outbound['tag']) : '';
}
