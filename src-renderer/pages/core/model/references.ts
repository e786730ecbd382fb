import type { Json, JsonObject } from '#wire/json';
import {
  listAt,
  objectAt,
  readAt,
  textAt,
  textsAt,
  withMember,
  writeAt,
  type Path,
} from '../../../forms/draft/json.ts';
import { BALANCERS, itemsAt, OUTBOUNDS, RULES } from './lists.ts';

/** A place that names an outbound or a balancer. */
export interface Reference {
  kind: 'rule' | 'balancer' | 'fallback' | 'chain' | 'observatory';
  /** The operator's name of the place: number of the rule, tag of the balancer or outbound, name of the section. */
  name: string;
}

/** Where an outbound's settings name the outbound it is dialled through. */
const CHAINS: readonly Path[] = [
  ['proxySettings', 'tag'],
  ['streamSettings', 'sockopt', 'dialerProxy'],
  ['streamSettings', 'xhttpSettings', 'downloadSettings', 'sockopt', 'dialerProxy'],
];
const OBSERVERS = ['observatory', 'burstObservatory'];

/** The outbound that this one is dialled through; empty = none. */
export function chainOf(outbound: JsonObject): string {
  for (const path of CHAINS) {
    const tag = textAt(readAt(outbound, path));
    if (tag !== '') return tag;
  }
  return '';
}

/** All references to this outbound. Selectors match tag prefixes, so a shorter selector counts too. */
export function referencesTo(template: JsonObject, tag: string): Reference[] {
  const found: Reference[] = [];
  for (const [index, rule] of itemsAt(template, RULES).entries()) {
    if (rule['outboundTag'] === tag) found.push({ kind: 'rule', name: ruleName(rule, index) });
  }
  for (const balancer of itemsAt(template, BALANCERS)) {
    const name = textAt(balancer['tag']);
    if (textsAt(balancer['selector']).some((begin) => tag.startsWith(begin))) found.push({ kind: 'balancer', name });
    if (balancer['fallbackTag'] === tag) found.push({ kind: 'fallback', name });
  }
  for (const outbound of itemsAt(template, OUTBOUNDS)) {
    if (chainOf(outbound) === tag) found.push({ kind: 'chain', name: textAt(outbound['tag']) });
  }
  for (const name of OBSERVERS) {
    const subjects = textsAt(readAt(template, [name, 'subjectSelector']));
    if (subjects.includes(tag)) found.push({ kind: 'observatory', name });
  }
  return found;
}

/** The references that a rename rewrites: a selector that is only a prefix of the tag stays as it is. */
export function exactReferencesTo(template: JsonObject, tag: string): Reference[] {
  const exact = new Set(
    itemsAt(template, BALANCERS)
      .filter((balancer) => textsAt(balancer['selector']).includes(tag))
      .map((balancer) => textAt(balancer['tag'])),
  );
  return referencesTo(template, tag).filter(({ kind, name }) => kind !== 'balancer' || exact.has(name));
}

/** The panel's name for a rule: its `ruleTag`, else its number. */
export function ruleName(rule: JsonObject, index: number): string {
  return textAt(rule['ruleTag']) || `#${index + 1}`;
}

/** The template with all references to an outbound renamed; the outbound itself is not touched. */
export function renameReferences(template: JsonObject, from: string, to: string): JsonObject {
  return rewrite(template, from, to);
}

/**
 * The template without references to an outbound: rules that lead to it are removed, selectors and chains lose it.
 * A rule is never left without a target.
 */
export function dropReferences(template: JsonObject, tag: string): JsonObject {
  return rewrite(template, tag, undefined);
}

function rewrite(template: JsonObject, from: string, to: string | undefined): JsonObject {
  const swap = (list: Json | undefined): Json[] =>
    listAt(list).flatMap((item) => (item === from ? (to === undefined ? [] : [to]) : [item]));
  let next = editItems(template, RULES, (rule) => {
    if (rule['outboundTag'] !== from) return rule;
    return to === undefined ? null : withMember(rule, 'outboundTag', to);
  });
  next = editItems(next, BALANCERS, (balancer) => {
    const selected = listAt(balancer['selector']).includes(from)
      ? withMember(balancer, 'selector', swap(balancer['selector']))
      : balancer;
    return selected['fallbackTag'] === from ? withMember(selected, 'fallbackTag', to) : selected;
  });
  next = editItems(next, OUTBOUNDS, (outbound) => {
    let changed = outbound;
    for (const path of CHAINS) if (readAt(changed, path) === from) changed = writeAt(changed, path, to);
    return changed;
  });
  for (const name of OBSERVERS) {
    const subjects = readAt(next, [name, 'subjectSelector']);
    if (listAt(subjects).includes(from)) next = writeAt(next, [name, 'subjectSelector'], swap(subjects));
  }
  return next;
}

/** Rules that lead to a balancer. */
export function rulesToBalancer(template: JsonObject, tag: string): Reference[] {
  return itemsAt(template, RULES).flatMap((rule, index) =>
    rule['balancerTag'] === tag ? [{ kind: 'rule', name: ruleName(rule, index) } as const] : [],
  );
}

/** @param to undefined removes the rules that lead to it */
export function rewriteBalancer(template: JsonObject, from: string, to: string | undefined): JsonObject {
  return editItems(template, RULES, (rule) => {
    if (rule['balancerTag'] !== from) return rule;
    return to === undefined ? null : withMember(rule, 'balancerTag', to);
  });
}

/** Objects of a list replaced, or removed by null; an unchanged list stays the same array. */
function editItems(template: JsonObject, list: Path, edit: (item: JsonObject) => JsonObject | null): JsonObject {
  const items = listAt(readAt(template, list));
  const edited = items.flatMap((item) => {
    const object = objectAt(item);
    const next = edit(object);
    if (next === object) return [item];
    return next === null ? [] : [next];
  });
  const isUntouched = edited.length === items.length && edited.every((item, index) => item === items[index]);
  return isUntouched ? template : writeAt(template, list, edited);
}
