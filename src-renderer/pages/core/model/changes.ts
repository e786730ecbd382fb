import type { Json, JsonObject } from '#wire/json';
import { isSame } from '../../../forms/draft/differences.ts';
import { listAt, objectAt, textAt } from '../../../forms/draft/json.ts';

export interface Change {
  /** Section of the template: `outbounds`, `routing.rules`, `log`. */
  where: string;
  /** Where in it: a tag, the number of a rule, or empty for the section as a whole. */
  name: string;
  kind: 'added' | 'removed' | 'changed' | 'moved';
}

/** The differences between two templates, one entry per thing that an operator would name. */
export function changesBetween(before: JsonObject, after: JsonObject): Change[] {
  const sections = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return sections.flatMap((section) => sectionChanges(section, before[section], after[section]));
}

function sectionChanges(where: string, before: Json | undefined, after: Json | undefined): Change[] {
  if (isSame(before, after)) return [];
  if (where === 'outbounds' || where === 'inbounds') return tagged(where, listAt(before), listAt(after));
  if (where === 'routing') return routing(objectAt(before), objectAt(after));
  if (before === undefined) return [{ where, name: '', kind: 'added' }];
  if (after === undefined) return [{ where, name: '', kind: 'removed' }];
  return [{ where, name: '', kind: 'changed' }];
}

function routing(before: JsonObject, after: JsonObject): Change[] {
  const { rules: oldRules, balancers: oldBalancers, ...oldRest } = before;
  const { rules, balancers, ...rest } = after;
  return [
    ...ruleChanges(listAt(oldRules), listAt(rules)),
    ...tagged('routing.balancers', listAt(oldBalancers), listAt(balancers)),
    ...(isSame(oldRest, rest) ? [] : [{ where: 'routing', name: '', kind: 'changed' } as const]),
  ];
}

/** Named items: compared by name, then by order. */
function tagged(where: string, before: Json[], after: Json[]): Change[] {
  const nameOf = (item: Json): string => textAt(objectAt(item)['tag']);
  const old = new Map(before.map((item) => [nameOf(item), item]));
  const now = new Map(after.map((item) => [nameOf(item), item]));
  const changes: Change[] = [];
  for (const [name, item] of now) {
    if (!old.has(name)) changes.push({ where, name, kind: 'added' });
    else if (!isSame(old.get(name), item)) changes.push({ where, name, kind: 'changed' });
  }
  for (const name of old.keys()) if (!now.has(name)) changes.push({ where, name, kind: 'removed' });
  const kept = (list: Map<string, Json>, other: Map<string, Json>) =>
    [...list.keys()].filter((name) => other.has(name));
  const isMoved = kept(old, now).join('\n') !== kept(now, old).join('\n');
  if (isMoved) changes.push({ where, name: '', kind: 'moved' });
  // Duplicate or missing names: the maps above cannot tell them apart.
  if (changes.length === 0) changes.push({ where, name: '', kind: 'changed' });
  return isSame(before, after) ? [] : changes;
}

/** Rules have no names: those unchanged in both are left out, the rest go by their number. */
function ruleChanges(before: Json[], after: Json[]): Change[] {
  if (isSame(before, after)) return [];
  const where = 'routing.rules';
  const left = [...before];
  const fresh: number[] = [];
  for (const [index, rule] of after.entries()) {
    const twin = left.findIndex((old) => isSame(old, rule));
    if (twin < 0) fresh.push(index);
    else left.splice(twin, 1);
  }
  const changed = Math.min(left.length, fresh.length);
  const changes: Change[] = fresh.map((index, at) => ({
    where,
    name: String(index + 1),
    kind: at < changed ? 'changed' : 'added',
  }));
  for (const rule of left.slice(changed)) {
    changes.push({ where, name: String(before.indexOf(rule) + 1), kind: 'removed' });
  }
  return changes.length === 0 ? [{ where, name: '', kind: 'moved' }] : changes;
}
