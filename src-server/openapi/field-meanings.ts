import { COMMON_FIELDS, COMMON_TYPES } from './common-fields.ts';
import { DOMAIN_FIELDS } from './domain-fields.ts';
import { SETTING_FIELDS } from './setting-fields.ts';
import type { DeclaredObject } from './field-notes.ts';
import type { JsonSchema } from './json-schema.ts';

/** Members that tell an object of another domain for sure. */
const SURE_MEMBERS = 3;

/** Says what the members of a schema mean, in place, where the schema itself does not. */
export type AddMeanings = (schema: JsonSchema, domain: string) => void;

/**
 * The meaning of a member is that of the object that declares it: all members of that object are in the schema, and no larger one
 * says otherwise. Else it is that of an object of which the schema is a part, or what the name means everywhere.
 */
export function fieldMeanings(declared: readonly DeclaredObject[]): AddMeanings {
  const byField = new Map<string, DeclaredObject[]>();
  for (const object of declared)
    for (const name of Object.keys(object.notes)) byField.set(name, [...(byField.get(name) ?? []), object]);

  function declaredMeaning(field: string, members: ReadonlySet<string>, domain: string): string {
    const all = byField.get(field) ?? [];
    const own = all.filter((object) => object.domain === domain || object.domain === '');
    // Calls stand under few names, so the contract may be that of another domain: then more than a name has to fit.
    const fitting = all.filter(
      (object) =>
        object.names.every((name) => members.has(name)) &&
        (own.includes(object) || object.names.length >= SURE_MEMBERS),
    );
    const size = Math.max(0, ...fitting.map(({ names }) => names.length));
    const closest = agreed(
      fitting.filter(({ names }) => names.length === size),
      field,
    );
    // Some members of a larger object, and no others.
    const parts = own.filter(({ names }) => members.size > 1 && [...members].every((name) => names.includes(name)));
    return closest || agreed(parts, field);
  }

  /** What stands in a path or behind its question mark is one object to its contract. */
  function addToParameters(parameters: unknown, domain: string): void {
    if (!Array.isArray(parameters)) return;
    const named = parameters as { name: string; schema: JsonSchema }[];
    addToMembers(Object.fromEntries(named.map(({ name, schema }) => [name, schema])), domain);
  }

  function addToMembers(properties: Record<string, JsonSchema>, domain: string): void {
    const members = new Set(Object.keys(properties));
    for (const [name, member] of Object.entries(properties)) {
      if (typeof member !== 'object' || typeof member['description'] === 'string') continue;
      const meaning = declaredMeaning(name, members, domain) || usualMeaning(name, member, domain);
      if (meaning !== '') member['description'] = meaning;
    }
  }

  return function add(schema, domain): void {
    for (const value of Object.values(schema))
      for (const part of Array.isArray(value) ? value : [value])
        if (typeof part === 'object' && part !== null) add(part as JsonSchema, domain);
    addToParameters(schema['parameters'], domain);
    const properties = schema['properties'];
    if (typeof properties !== 'object' || properties === null) return;
    addToMembers(properties as Record<string, JsonSchema>, domain);
  };
}

/** What a name means wherever it is used; another type than the usual one means something else. */
function usualMeaning(field: string, member: JsonSchema, domain: string): string {
  const own = domain === 'settings' ? SETTING_FIELDS[field] : DOMAIN_FIELDS[domain]?.[field];
  if (own !== undefined) return own;
  const usual = COMMON_TYPES[field];
  return usual === undefined || (member['type'] ?? 'any') === usual ? (COMMON_FIELDS[field] ?? '') : '';
}

/** What all of these say; empty = they differ, or there is none. */
function agreed(objects: readonly DeclaredObject[], field: string): string {
  const texts = new Set(objects.map(({ notes }) => notes[field] ?? ''));
  return texts.size === 1 ? ([...texts][0] ?? '') : '';
}
