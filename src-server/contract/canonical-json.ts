import type { Json } from './json.ts';

/**
 * Compact text, equal for values that differ only in the order of members. Numbers are written as JSON.stringify writes
 * them.
 * @param isNullKept false: members that are null count as absent, as they do in the core. Null inside a list always stays,
 * since it holds a position.
 */
export function canonicalJson(value: Json | undefined, isNullKept = true): string {
  if (value === undefined || value === null) return 'null';
  if (typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item, isNullKept)).join(',')}]`;
  const members: string[] = [];
  for (const key of Object.keys(value).sort()) {
    const member = value[key];
    if (member !== undefined && (isNullKept || member !== null))
      members.push(`${JSON.stringify(key)}:${canonicalJson(member, isNullKept)}`);
  }
  return `{${members.join(',')}}`;
}
