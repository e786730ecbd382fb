import type { Json, JsonObject, LeftOut } from '../source.ts';
import { isBlank, isJsonObject, listOf, objectOf, textListOf, textOf, without } from '../json-access.ts';
import { problem, type Problem } from '../rules/finding.ts';
import { hasCondition, hasTarget, ruleName } from './routing-rule.ts';

export interface Notes {
  leftOut: LeftOut[];
  warnings: string[];
}

const STRATEGIES = ['random', 'leastping', 'roundrobin', 'leastload'];
const OBSERVING = ['leastping', 'leastload'];

/**
 * Routing as the core gets it: always present, so that rules can be replaced live, and free of what would stop the
 * core.
 */
export function withRouting(config: JsonObject, coreVersion: string | undefined, notes: Notes): JsonObject {
  const routing = objectOf(config['routing']);
  const hasObservatory = isJsonObject(config['observatory']) || isJsonObject(config['burstObservatory']);
  const balancers = balancersOf(routing['balancers'], hasObservatory, notes);
  const rules = rulesOf(routing['rules'], new Set(balancers.map((balancer) => balancer['tag'])), coreVersion, notes);
  const result: JsonObject = { ...routing, rules };
  if (Array.isArray(routing['balancers'])) result['balancers'] = balancers;
  return { ...config, routing: result };
}

function rulesOf(
  rules: Json | undefined,
  balancers: Set<Json | undefined>,
  coreVersion: string | undefined,
  notes: Notes,
): JsonObject[] {
  const tags = new Set<string>();
  return listOf(rules).flatMap((stored, index) => {
    if (!isJsonObject(stored) || stored['enabled'] === false) return [];
    const rule = without(stored, 'enabled');
    const name = ruleName(rule, index);
    const why = ruleProblem(rule, coreVersion);
    if (why !== null) {
      notes.leftOut.push({ kind: 'rule', name, reason: `Routing ${name} left out: ${why.text}` });
      return [];
    }
    return [uniquelyTagged(closedWithoutBalancer(rule, name, balancers, notes), tags, notes)];
  });
}

/** Why the core would refuse the rule; null when no reason is known. */
export function ruleProblem(rule: JsonObject, coreVersion: string | undefined): Problem | null {
  if (!hasTarget(rule)) return problem('cannotRun.noTarget');
  if (!hasCondition(rule, coreVersion)) return problem('cannotRun.noCondition');
  return null;
}

/**
 * An unknown balancer stops the core, an unknown outbound closes the matching connections. The second is what a rule
 * with a lost balancer should do: dropping the rule would send its traffic to the default outbound.
 */
function closedWithoutBalancer(
  rule: JsonObject,
  name: string,
  balancers: Set<Json | undefined>,
  notes: Notes,
): JsonObject {
  const balancer = textOf(rule['balancerTag']);
  if (balancer === '' || textOf(rule['outboundTag']) !== '' || balancers.has(balancer)) return rule;
  notes.warnings.push(
    `Routing ${name} names the balancer ${balancer}, which does not run: its connections are closed.`,
  );
  return { ...without(rule, 'balancerTag'), outboundTag: `missing-balancer-${balancer}` };
}

/** The core loads two rules with one ruleTag but then refuses to replace its rules while it runs. */
function uniquelyTagged(rule: JsonObject, tags: Set<string>, notes: Notes): JsonObject {
  const tag = textOf(rule['ruleTag']);
  if (tag === '' || !tags.has(tag)) {
    tags.add(tag);
    return rule;
  }
  notes.warnings.push(`The rule tag ${tag} is used twice: the later rule runs without it.`);
  return without(rule, 'ruleTag');
}

/** Of balancers with one tag the core keeps the last; so does the result. */
function balancersOf(balancers: Json | undefined, hasObservatory: boolean, notes: Notes): JsonObject[] {
  const byTag = new Map<string, JsonObject>();
  for (const stored of listOf(balancers)) {
    if (!isJsonObject(stored)) continue;
    const tag = textOf(stored['tag']);
    const why = balancerProblem(stored);
    if (why !== null) {
      notes.warnings.push(`Balancer ${tag || '(no tag)'} left out: ${why.text}`);
      continue;
    }
    if (byTag.delete(tag)) notes.warnings.push(`The balancer tag ${tag} is used twice: the later one runs.`);
    byTag.set(tag, hasObservatory ? stored : withoutHealthData(stored, tag, notes));
  }
  return [...byTag.values()];
}

/** Why the core would refuse the balancer; null when no reason is known. */
export function balancerProblem(balancer: JsonObject): Problem | null {
  const tag = textOf(balancer['tag']);
  if (tag === '') return problem('cannotRun.noTag');
  if (textListOf(balancer['selector']).length === 0) return problem('cannotRun.noSelector');
  const strategy = textOf(objectOf(balancer['strategy'])['type']).toLowerCase();
  return strategy === '' || STRATEGIES.includes(strategy) ? null : problem('cannotRun.strategy', { strategy });
}

/** Strategies that measure, and a fallback, need an observatory: without one the core does not start. */
function withoutHealthData(balancer: JsonObject, tag: string, notes: Notes): JsonObject {
  if (!needsObservatory(balancer)) return balancer;
  notes.warnings.push(`Balancer ${tag} needs an observatory; without one it chooses at random and has no fallback.`);
  const plain = without(balancer, 'fallbackTag');
  return measures(balancer) ? without(plain, 'strategy') : plain;
}

export function needsObservatory(balancer: JsonObject): boolean {
  return measures(balancer) || !isBlank(balancer['fallbackTag']);
}

function measures(balancer: JsonObject): boolean {
  return OBSERVING.includes(textOf(objectOf(balancer['strategy'])['type']).toLowerCase());
}
