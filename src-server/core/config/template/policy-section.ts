import type { JsonObject } from '../source.ts';
import { isJsonObject, objectOf } from '../json-access.ts';

/**
 * The counters that the panel depends on. A level that is not listed has every statistic off, so level 0, where all
 * users are, is created; on it traffic is always counted, and the online map is on for every level. Outbound counters
 * stay as the template has them.
 */
export function withPolicy(config: JsonObject): JsonObject {
  const policy = objectOf(config['policy']);
  const levels: JsonObject = {};
  for (const [level, value] of Object.entries({ '0': {}, ...objectOf(policy['levels']) })) {
    const counted = level === '0' ? { statsUserUplink: true, statsUserDownlink: true } : {};
    levels[level] = { ...objectOf(value), ...counted, statsUserOnline: true };
  }
  const system = { ...objectOf(policy['system']), statsInboundUplink: true, statsInboundDownlink: true };
  const stats = isJsonObject(config['stats']) ? config['stats'] : {};
  return { ...config, policy: { ...policy, levels, system }, stats };
}
