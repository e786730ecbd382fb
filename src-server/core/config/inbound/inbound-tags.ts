import type { Json, JsonObject } from '../source.ts';
import { isJsonObject, listOf, objectOf, textListOf, textOf } from '../json-access.ts';

/**
 * The template with an inbound's tag renamed in routing rules and loopback outbounds; the same object when nothing
 * refers to it.
 */
export function renameInboundTag(template: JsonObject, from: string, to: string): JsonObject {
  if (from === to) return template;
  const rename = (tags: string[]): string[] => tags.map((tag) => (tag === from ? to : tag));
  const routed = withRules(template, (rule) => (namesTag(rule, from) ? withTags(rule, rename(tagsOf(rule))) : rule));
  return withOutbounds(routed, (outbound) =>
    loopbackTag(outbound) === from
      ? { ...outbound, settings: { ...objectOf(outbound['settings']), inboundTag: to } }
      : outbound,
  );
}

/**
 * The template without the tag in its routing rules; a rule for that inbound alone is dropped, whatever other conditions
 * it has: without the tag it would match the traffic of all inbounds. While a loopback outbound still sends traffic under
 * the tag the rules keep it: dropping them could send that traffic in circles. The same object when nothing changes.
 */
export function removeInboundTag(template: JsonObject, tag: string): JsonObject {
  const isStillFed = listOf(template['outbounds']).some((value) => isJsonObject(value) && loopbackTag(value) === tag);
  if (isStillFed) return template;
  return withRules(template, (rule) => {
    if (!namesTag(rule, tag)) return rule;
    const left = tagsOf(rule).filter((other) => other !== tag);
    return left.length > 0 ? withTags(rule, left) : null;
  });
}

function tagsOf(rule: JsonObject): string[] {
  return textListOf(rule['inboundTag']);
}

function namesTag(rule: JsonObject, tag: string): boolean {
  return tagsOf(rule).includes(tag);
}

/** Keeps the notation: a single comma-separated text stays a text. */
function withTags(rule: JsonObject, tags: string[]): JsonObject {
  return { ...rule, inboundTag: typeof rule['inboundTag'] === 'string' ? tags.join(',') : tags };
}

function loopbackTag(outbound: JsonObject): string | null {
  if (textOf(outbound['protocol']).toLowerCase() !== 'loopback') return null;
  return textOf(objectOf(outbound['settings'])['inboundTag']);
}

function withRules(template: JsonObject, change: (rule: JsonObject) => JsonObject | null): JsonObject {
  const routing = template['routing'];
  if (!isJsonObject(routing) || !Array.isArray(routing['rules'])) return template;
  const rules = changedList(routing['rules'], change);
  return rules === routing['rules'] ? template : { ...template, routing: { ...routing, rules } };
}

function withOutbounds(template: JsonObject, change: (outbound: JsonObject) => JsonObject): JsonObject {
  if (!Array.isArray(template['outbounds'])) return template;
  const outbounds = changedList(template['outbounds'], change);
  return outbounds === template['outbounds'] ? template : { ...template, outbounds };
}

/** The same list when no item changed; items that become null are dropped. */
function changedList(list: Json[], change: (item: JsonObject) => JsonObject | null): Json[] {
  const changed = list.map((item) => (isJsonObject(item) ? change(item) : item));
  if (changed.every((item, index) => item === list[index])) return list;
  return changed.filter((item, index) => item !== null || list[index] === null);
}
