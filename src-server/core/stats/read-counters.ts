import type { CoreApi } from '../api/core-api.ts';
import type { CounterReading } from '../core.ts';
import { parseCounters } from './parse-counters.ts';

/** Inbounds that the panel itself put into the config: their bytes are counted elsewhere or are nobody's. */
const OWN_TAG = /^(?:api|panel-egress|node-egress-\d+)$/;

/** Absolute counters of the process behind `api`. @throws {CoreApiError} */
export async function readCounters(api: CoreApi, bootId: string, clock: () => number): Promise<CounterReading> {
  const bytes = await api.rawCounters();
  const readAtMs = clock();
  return { bootId, readAtMs, ...(await parseCounters(bytes, (tag) => OWN_TAG.test(tag))) };
}
