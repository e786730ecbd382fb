import type { Json, JsonObject } from '#wire/json';

/** Steps to a place; a number creates an array where there is none. */
export type Path = readonly (string | number)[];
/** A place as steps, or as text: `rules.3.port` or `rules[3].port`. Names with dots or brackets need steps. */
type Place = Path | string;

/** A name that a place written as text cannot express. */
export const isUnwritable = (name: string): boolean => name === '' || /[.[\]]/.test(name);

export function stepsOf(place: Place): Path {
  if (typeof place !== 'string') return place;
  return [...place.matchAll(/([^.[\]]+)|\[(\d+)\]/g)].map(([, name, index]) => name ?? Number(index));
}

/** Undefined where there is nothing. */
export function readAt(root: Json | undefined, place: Place): Json | undefined {
  let at = root;
  for (const step of stepsOf(place)) at = Array.isArray(at) ? at[Number(step)] : objectAt(at)[step];
  return at;
}

/**
 * A copy with another value at a place; undefined removes it. Non-objects on the way become objects, every other part
 * is shared with the original.
 */
export function writeAt(root: JsonObject, place: Place, value: Json | undefined): JsonObject {
  return write(root, stepsOf(place), value) as JsonObject;
}

function write(at: Json | undefined, [step, ...rest]: Path, value: Json | undefined): Json | undefined {
  if (step === undefined) return value;
  if (Array.isArray(at) || typeof step === 'number') {
    const list = listAt(at);
    const index = Number(step);
    const next = write(list[index], rest, value);
    return next === undefined ? list.toSpliced(index, 1) : list.toSpliced(index, 1, next);
  }
  const object = objectAt(at);
  return withMember(object, step, write(object[step], rest, value));
}

/** A copy with one member set, or without it when the value is undefined; other members and their order stay. */
export function withMember(object: JsonObject, key: string, value: Json | undefined): JsonObject {
  if (value !== undefined) return object[key] === value ? object : { ...object, [key]: value };
  if (!(key in object)) return object;
  const { [key]: _, ...rest } = object;
  return rest;
}

/** The object at a place; anything else reads as an empty object. */
export function objectAt(root: Json | undefined, place: Place = []): JsonObject {
  const found = place.length === 0 ? root : readAt(root, place);
  return isObject(found) ? found : {};
}

/** The array at a place; anything else reads as an empty one. */
export function listAt(root: Json | undefined, place: Place = []): Json[] {
  const found = readAt(root, place);
  return Array.isArray(found) ? found : [];
}

/** The text at a place; anything else reads as empty. */
export function textAt(root: Json | undefined, place: Place = []): string {
  const found = readAt(root, place);
  return typeof found === 'string' ? found : '';
}

/** Texts of an array, of a comma-separated text as in older configs, or of nothing. */
export function textsAt(value: Json | undefined): string[] {
  if (typeof value !== 'string') return listAt(value).filter((item) => typeof item === 'string');
  return value
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Parses an object; null for anything else. */
export function readObject(text: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

export const jsonText = (value: JsonObject): string => JSON.stringify(value, null, 2);
