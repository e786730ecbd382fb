import type { JsonObject } from '#wire/json';
import { textAt, textsAt } from '../../../forms/draft/json.ts';

/** Conditions that have a field, in reading order. */
const CONDITIONS = [
  'domain',
  'ip',
  'port',
  'network',
  'protocol',
  'inboundTag',
  'user',
  'sourceIP',
  'source',
  'sourcePort',
] as const;
type Condition = (typeof CONDITIONS)[number];

/** A condition of a rule. */
export function conditionsOf(rule: JsonObject): { name: Condition; values: string[] }[] {
  return CONDITIONS.flatMap((name) => {
    const value = rule[name];
    const values = typeof value === 'number' ? [String(value)] : textsAt(value);
    return values.length === 0 ? [] : [{ name, values }];
  });
}

/** All other conditions of the core; a rule with one of these is not empty. */
const RARE = ['attrs', 'process', 'localIP', 'localPort', 'vlessRoute', 'localOS'];

/** Conditions without a field, by their names in the template. */
export function rareConditionsOf(rule: JsonObject): { name: string; text: string }[] {
  return RARE.flatMap((name) => {
    const value = rule[name];
    if (value === undefined || value === '') return [];
    return [{ name, text: typeof value === 'object' ? JSON.stringify(value) : String(value) }];
  });
}

export function hasCondition(rule: JsonObject): boolean {
  return conditionsOf(rule).length > 0 || rareConditionsOf(rule).length > 0;
}

/** The rule through which the panel reads the core's counters. */
export function isApiRule(rule: JsonObject): boolean {
  return rule['outboundTag'] === 'api' && textsAt(rule['inboundTag']).includes('api');
}

/** Why a rule cannot be applied; null = it can. */
export function ruleProblem(rule: JsonObject): 'target' | 'condition' | null {
  if (textAt(rule['outboundTag']) === '' && textAt(rule['balancerTag']) === '') return 'target';
  return hasCondition(rule) ? null : 'condition';
}
