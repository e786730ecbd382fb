import type { Json, JsonObject } from './source.ts';

export function isJsonObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The object itself, or an empty one for anything else: stored JSON is never trusted to have the right shape. */
export function objectOf(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

export function listOf(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : [];
}

export function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

/** The core's StringList: an array of texts or one comma-separated text. */
export function textListOf(value: Json | undefined): string[] {
  if (typeof value === 'string') return value.split(',').map((part) => part.trim());
  return listOf(value).filter((part) => typeof part === 'string');
}

/** Null, "", [], {} and absent: what the core treats as "not set" and an editor leaves behind. */
export function isBlank(value: Json | undefined): boolean {
  if (value === undefined || value === null || value === '') return true;
  if (Array.isArray(value)) return value.length === 0;
  return isJsonObject(value) && Object.keys(value).length === 0;
}

/** A copy without the named members; the same object when it has none of them. */
export function without(object: JsonObject, ...keys: readonly string[]): JsonObject {
  if (!keys.some((key) => Object.hasOwn(object, key))) return object;
  return Object.fromEntries(Object.entries(object).filter(([key]) => !keys.includes(key)));
}

/** A copy without those of the named members that are blank; the same object when none is. */
export function withoutBlank(object: JsonObject, ...keys: readonly string[]): JsonObject {
  return without(object, ...keys.filter((key) => Object.hasOwn(object, key) && isBlank(object[key])));
}

/**
 * A copy in which `from` is called `to`. An existing, non-blank `to` wins, and the old name goes away either way.
 */
export function renamed(object: JsonObject, from: string, to: string): JsonObject {
  if (!Object.hasOwn(object, from)) return object;
  const rest = without(object, from);
  return isBlank(rest[to]) && object[from] !== undefined ? { ...rest, [to]: object[from] } : rest;
}
