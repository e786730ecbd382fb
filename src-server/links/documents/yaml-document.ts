import type { Json, JsonObject } from '../../contract/json.ts';
import { asList, asObject, asText } from '../encoding.ts';
import { yamlLines } from './yaml-text.ts';

/** Names of the document's own group and of what apps add by themselves. */
const RESERVED = ['PROXY', 'DIRECT', 'REJECT', 'REJECT-DROP', 'PASS', 'PASS-RULE', 'COMPATIBLE', 'GLOBAL'];

/**
 * The document around proxies, in order.
 * @param custom the operator's rules as parsed YAML; null = none, text that is not a list or map is passed as text.
 */
export function yamlDocument(proxies: readonly JsonObject[], custom: Json): string {
  const { rules: given, others } = customParts(custom);
  const customRules = given.filter(isRule);
  const named = withNames(proxies, [...RESERVED, ...groupNames(others['proxy-groups'])]);
  const hasMatch = customRules.some((rule) => /^\s*MATCH\s*,/.test(rule));
  const rules = hasMatch ? customRules : [...customRules, 'MATCH,PROXY'];
  const group = { name: 'PROXY', type: 'select', proxies: [...named.map(({ name }) => name!), 'DIRECT'] };
  const document: JsonObject = { proxies: named, 'proxy-groups': [group], rules, ...others };
  // Apps refuse the whole document when something leads to a group that does not exist.
  const groups = asList(document['proxy-groups']);
  if (!groupNames(groups).includes('PROXY') && /\bPROXY\b/.test(JSON.stringify([rules, groups])))
    document['proxy-groups'] = [group, ...groups];
  return `${yamlLines(document).join('\n')}\n`;
}

function customParts(custom: Json): { rules: Json[]; others: JsonObject } {
  if (Array.isArray(custom)) return { rules: custom, others: {} };
  if (typeof custom === 'object' && custom !== null) {
    const { rules = [], ...others } = custom;
    return { rules: Array.isArray(rules) ? rules : [], others };
  }
  const lines = asText(custom)
    .split(/\r?\n/)
    .map((line) => line.trim());
  return { rules: lines.filter((line) => line !== '' && !line.startsWith('#')), others: {} };
}

/** Rules at an address are not fetched here; apps refuse a whole document for an address among its rules. */
function isRule(rule: Json): rule is string {
  return typeof rule === 'string' && !/^\s*https:\/\/\S+\s*$/i.test(rule);
}

function groupNames(groups: Json | undefined): string[] {
  return asList(groups).map((group) => asText(asObject(group)['name']));
}

/** Apps refuse the whole file because of one empty or repeated name. */
function withNames(proxies: readonly JsonObject[], others: readonly string[]): JsonObject[] {
  const taken = new Set(others);
  const nextNumber = new Map<string, number>();
  return proxies.map((proxy) => {
    const wanted =
      asText(proxy['name']).trim() || `${asText(proxy['type'])}-${asText(proxy['server'])}-${asText(proxy['port'])}`;
    let name = wanted;
    let number = nextNumber.get(wanted) ?? 2;
    while (taken.has(name)) name = `${wanted}-${number++}`;
    nextNumber.set(wanted, number);
    taken.add(name);
    return { ...proxy, name };
  });
}
