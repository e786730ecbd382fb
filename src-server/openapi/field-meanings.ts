import { COMMON_FIELDS, COMMON_TYPES } from './common-fields.ts';
import { DOMAIN_FIELDS } from './domain-fields.ts';
import { SETTING_FIELDS } from './setting-fields.ts';
import type { DeclaredObject } from './field-notes.ts';
import type { JsonSchema } from './json-schema.ts';

/** Members that identify an object of another domain for certain. */
const SURE_MEMBERS = 3;

/**
 * Adds meanings to the members of a schema, in place, where the schema itself has none.
 * @param domains the call's domains, that of its contract first
 */
export type AddMeanings = (schema: JsonSchema, domains: readonly string[]) => void;

/**
 * A member has the meaning given by the object that declares it: all members of that object are in the schema, and no
 * larger object disagrees. Otherwise it has the meaning given by an object of which the schema is a part, or the name's
 * general meaning.
 */
export function fieldMeanings(declared: readonly DeclaredObject[]): AddMeanings {
  const byField = new Map<string, DeclaredObject[]>();
  for (const object of declared)
    for (const name of Object.keys(object.notes)) byField.set(name, [...(byField.get(name) ?? []), object]);

  /** Meanings from the contracts of a domain, or from shared ones; from any domain, where enough members match. */
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

  /** To its contract, everything in a path or after its question mark is one object. */
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
        // The shape belongs to another domain.
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

/** The name's general meaning; a type other than the usual one means something else. */
function usualMeaning(field: string, member: JsonSchema): string {
  const usual = COMMON_TYPES[field];
  return usual === undefined || (member['type'] ?? 'any') === usual ? (COMMON_FIELDS[field] ?? '') : '';
}

/** The meaning that all of these share; empty = they differ, or there is none. */
function agreed(objects: readonly DeclaredObject[], field: string): string {
  const texts = new Set(objects.map(({ notes }) => notes[field] ?? ''));
  return texts.size === 1 ? ([...texts][0] ?? '') : '';
}
