import type { JsonObject } from '../source.ts';
import { isBlank, textOf } from '../json-access.ts';
import { isAtLeast } from '../core-version.ts';

const CONDITIONS = [
  'domain',
  'domains',
  'ip',
  'port',
  'network',
  'sourceip',
  'source',
  'sourceport',
  'user',
  'vlessroute',
  'inboundtag',
  'protocol',
  'attrs',
  'attributes',
  'localip',
  'localport',
  'process',
];
const LAST_WITHOUT_LOCAL_OS = '26.7.29';

/**
 * Whether the rule can match anything: a rule without a condition in force stops the whole core. Lists that are empty
 * do not count, nor does `localOS` before the core that introduced it. Member names match in any letter case.
 */
export function hasCondition(rule: JsonObject, coreVersion?: string): boolean {
  return Object.entries(rule).some(([key, value]) => {
    const name = key.toLowerCase();
    if (name === 'localos')
      return coreVersion !== undefined && isAtLeast(coreVersion, LAST_WITHOUT_LOCAL_OS) && !isBlank(value);
    return CONDITIONS.includes(name) && !isBlank(value);
  });
}

export function hasTarget(rule: JsonObject): boolean {
  return textOf(rule['outboundTag']) !== '' || textOf(rule['balancerTag']) !== '';
}

/** How the operator recognises a rule: by its tag, else by its position (counted from 1) and its target. */
export function ruleName(rule: JsonObject, index: number): string {
  const target = textOf(rule['outboundTag']) || textOf(rule['balancerTag']) || 'no target';
  return textOf(rule['ruleTag']) || `rule ${index + 1} (${target})`;
}
