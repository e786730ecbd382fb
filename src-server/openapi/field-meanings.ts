import { COMMON_FIELDS, COMMON_TYPES } from './common-fields.ts';
import { DOMAIN_FIELDS } from './domain-fields.ts';
import { SETTING_FIELDS } from './setting-fields.ts';
import type { DeclaredObject } from './field-notes.ts';
import type { JsonSchema } from './json-schema.ts';

/** Members that tell an object of another domain for sure. */
const SURE_MEMBERS = 3;

/**
 * Says what the members of a schema mean, in place, where the schema itself does not.
 * @param domains those that the call belongs to, that of its contract first
 */
export type AddMeanings = (schema: JsonSchema, domains: readonly string[]) => void;

/**
 * The meaning of a member is that of the object that declares it: all members of that object are in the schema, and no larger one
 * says otherwise. Else it is that of an object of which the schema is a part, or what the name means everywhere.
 */
export function fieldMeanings(declared: readonly DeclaredObject[]): AddMeanings {
  const byField = new Map<string, DeclaredObject[]>();
  for (const object of declared)
    for (const name of Object.keys(object.notes)) byField.set(name, [...(byField.get(name) ?? []), object]);

  /** What the contracts of a domain say, or shared ones; of no domain in particular, where enough members fit. */
  function declaredMeaning(field: string, members: ReadonlySet<string>, domain: string | null): string {
    const all = byField.get(field) ?? [];
    const own = all.filter((object) => object.domain === domain || object.domain === '');
    const fitting = (domain === null ? all.filter(({ names }) => names.length >= SURE_MEMBERS) : own).filter(
      ({ names }) => names.every((name) => members.has(name)),
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
  function addToParameters(parameters: unknown, domains: readonly string[]): void {
    if (!Array.isArray(parameters)) return;
    const named = parameters as { name: string; schema: JsonSchema }[];
    addToMembers(Object.fromEntries(named.map(({ name, schema }) => [name, schema])), domains);
  }

  function addToMembers(properties: Record<string, JsonSchema>, domains: readonly string[]): void {
    const members = new Set(Object.keys(properties));
    for (const [name, member] of Object.entries(properties)) {
      if (typeof member !== 'object' || typeof member['description'] === 'string') continue;
      const meaning =
        firstOf(domains, (domain) => declaredMeaning(name, members, domain)) ||
        firstOf(domains, (domain) => tables[domain]?.[name] ?? '') ||
        // The shape is that of another domain.
        declaredMeaning(name, members, null) ||
        usualMeaning(name, member);
      if (meaning !== '') member['description'] = meaning;
    }
  }

  return function add(schema, domains): void {
    for (const value of Object.values(schema))
      for (const part of Array.isArray(value) ? value : [value])
        if (typeof part === 'object' && part !== null) add(part as JsonSchema, domains);
    addToParameters(schema['parameters'], domains);
    const properties = schema['properties'];
    if (typeof properties !== 'object' || properties === null) return;
    addToMembers(properties as Record<string, JsonSchema>, domains);
  };
}

const tables: typeof DOMAIN_FIELDS = { ...DOMAIN_FIELDS, settings: SETTING_FIELDS };

const firstOf = (domains: readonly string[], meaningIn: (domain: string) => string): string =>
  domains.reduce((found, domain) => found || meaningIn(domain), '');

/** What a name means wherever it is used; another type than the usual one means something else. */
function usualMeaning(field: string, member: JsonSchema): string {
  const usual = COMMON_TYPES[field];
  return usual === undefined || (member['type'] ?? 'any') === usual ? (COMMON_FIELDS[field] ?? '') : '';
}

/** What all of these say; empty = they differ, or there is none. */
function agreed(objects: readonly DeclaredObject[], field: string): string {
  const texts = new Set(objects.map(({ notes }) => notes[field] ?? ''));
  return texts.size === 1 ? ([...texts][0] ?? '') : '';
}
