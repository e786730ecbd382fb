import type { CoreApi } from '../api/core-api.ts';
import type { CounterReading } from '../core.ts';
import { parseCounters } from './parse-counters.ts';

/** Inbounds and outbounds that the panel itself put into the core: their bytes are counted elsewhere or are nobody's. */
export function isOwnTag(tag: string): boolean {
  return /^(?:api|panel-egress|panel-ip-limit|node-egress-\d+)$/.test(tag);
}

/** Absolute counters of the process behind `api`. @throws {CoreApiError} */
export async function readCounters(api: CoreApi, bootId: string, clock: () => number): Promise<CounterReading> {
  const bytes = await api.rawCounters();
  const readAtMs = clock();
  return { bootId, readAtMs, ...(await parseCounters(bytes, isOwnTag)) };
}
