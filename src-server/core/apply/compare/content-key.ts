import type { Json, JsonObject } from '../../config/source.ts';
import { canonicalJson } from '../../../contract/canonical-json.ts';

/**
 * 53-bit hash of a text: equal texts have equal numbers, different texts practically never do. Keeps a running config
 * of 50,000 clients small in memory.
 */
function hash53(text: string): number {
  let low = 0xdeadbeef;
  let high = 0x41c6ce57;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    low = Math.imul(low ^ unit, 2654435761);
    high = Math.imul(high ^ unit, 1597334677);
  }
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  return 4294967296 * (2097151 & high) + (low >>> 0);
}

/** Number of one entry of a user list, its e-mail's spelling included. */
export function entryKey(entry: JsonObject): number {
  return hash53(canonicalJson(entry, false));
}

/** Text that is equal for two sections with the same meaning: key order, whitespace and null members do not count. */
export function sectionKey(value: Json | undefined): string {
  return value === undefined || value === null ? '' : canonicalJson(value, false);
}
