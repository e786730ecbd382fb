import type { CoreApi } from '../api/core-api.ts';
import type { CounterReading } from '../core.ts';
import { createCounterNames, parseCounters } from './parse-counters.ts';

/**
 * Inbounds and outbounds that the panel itself added to the core: their bytes are counted elsewhere or have no owner.
 */
export function isOwnTag(tag: string): boolean {
  return /^(?:api|panel-egress|panel-ip-limit|node-egress-\d+)$/.test(tag);
}

/** Reads absolute counters of the process behind an API; remembers the names of the last process. */
export function createCounterReader(clock: () => number): (api: CoreApi, bootId: string) => Promise<CounterReading> {
  let known = { bootId: '', names: createCounterNames() };
  return async (api, bootId) => {
    const bytes = await api.rawCounters();
    const readAtMs = clock();
    if (known.bootId !== bootId) known = { bootId, names: createCounterNames() };
    return { bootId, readAtMs, ...(await parseCounters(bytes, isOwnTag, known.names)) };
  };
}
