import type { Json } from './source.ts';

/**
 * Text that is equal for values the core cannot tell apart: members sorted by name, members that are null dropped, no
 * white space. Null inside a list stays, since it holds a position. Number text is what JSON.stringify makes of it.
 */
export function canonicalJson(value: Json | undefined): string {
  if (value === undefined || value === null) return 'null';
  if (typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  const members: string[] = [];
  for (const key of Object.keys(value).sort()) {
    const member = value[key];
    if (member !== null && member !== undefined) members.push(`${JSON.stringify(key)}:${canonicalJson(member)}`);
  }
  return `{${members.join(',')}}`;
}
