import type { JsonObject } from '#wire/json';
import { objectAt, readAt, textAt, textsAt, withMember, writeAt } from '../../../forms/draft/json.ts';
import { BALANCERS, itemsAt } from './lists.ts';

export const STRATEGIES = ['random', 'roundRobin', 'leastPing', 'leastLoad'] as const;

export function strategyOf(balancer: JsonObject): string {
  return textAt(readAt(balancer, ['strategy', 'type'])) || 'random';
}

/** Tags that selectors match: those that begin with one of them. */
export function selectedTags(selectors: readonly string[], tags: readonly string[]): string[] {
  return tags.filter((tag) => selectors.some((begin) => tag.startsWith(begin)));
}

const PING = { subjectSelector: [], probeUrl: 'https://www.google.com/generate_204', probeInterval: '1m' };
const BURST = {
  subjectSelector: [],
  pingConfig: {
    destination: 'https://connectivitycheck.gstatic.com/generate_204',
    interval: '1m',
    connectivity: '',
    timeout: '5s',
    sampling: 2,
  },
};

/**
 * The template with the observers that its balancers need, watching the outbounds they choose from: without one the
 * core refuses a balancer that goes by ping or load, or that has a fallback. An existing observer keeps its settings
 * and its own subjects; one that nothing needs any longer stays.
 */
export function withObservers(template: JsonObject): JsonObject {
  const burst = new Set<string>();
  const ping = new Set<string>();
  for (const balancer of itemsAt(template, BALANCERS)) {
    const strategy = strategyOf(balancer);
    const isWatched = strategy === 'leastPing' || strategy === 'leastLoad' || textAt(balancer['fallbackTag']) !== '';
    const needed = strategy === 'leastLoad' ? burst : ping;
    if (isWatched) for (const begin of textsAt(balancer['selector'])) needed.add(begin);
  }
  // The core runs one observer; the burst one serves both strategies.
  const isBurst =
    burst.size > 0 || (template['burstObservatory'] !== undefined && template['observatory'] === undefined);
  const subjects = isBurst ? [...burst, ...ping] : [...ping];
  if (subjects.length === 0) return template;
  if (!isBurst) return watching(template, 'observatory', PING, subjects);
  const own = textsAt(readAt(template, ['observatory', 'subjectSelector']));
  return watching(withMember(template, 'observatory', undefined), 'burstObservatory', BURST, [...subjects, ...own]);
}

function watching(template: JsonObject, name: string, made: JsonObject, subjects: readonly string[]): JsonObject {
  const observer = template[name] === undefined ? made : objectAt(template[name]);
  const known = textsAt(observer['subjectSelector']);
  const missing = [...new Set(subjects)].filter((begin) => !known.includes(begin));
  if (missing.length === 0) return template;
  return writeAt(template, [name], withMember(observer, 'subjectSelector', [...known, ...missing]));
}
