import type { Json, JsonObject } from '#wire/json';

export type Path = readonly (string | number)[];

/** The value as an object; anything else reads as an empty one. */
export function objectAt(value: Json | undefined): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
}

/** The value as a list; anything else reads as an empty one. */
export function listAt(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : [];
}

/** The value as text; what is no text reads as empty. */
export function textAt(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

/** Texts of a list, of a text separated by commas as older configs have it, or of nothing. */
export function textsAt(value: Json | undefined): string[] {
  if (typeof value === 'string')
    return value
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '');
  return listAt(value).filter((item) => typeof item === 'string');
}

/** A copy with one member set, or without it when the value is undefined; other members and their order stay. */
export function withMember(object: JsonObject, key: string, value: Json | undefined): JsonObject {
  if (value === undefined) {
    if (!(key in object)) return object;
    const { [key]: _, ...rest } = object;
    return rest;
  }
  return object[key] === value ? object : { ...object, [key]: value };
}

export function readPath(root: Json | undefined, path: Path): Json | undefined {
  let value = root;
  for (const step of path) value = typeof step === 'number' ? listAt(value)[step] : objectAt(value)[step];
  return value;
}

/** A copy with the value at a path; objects on the way are made, every other part is shared with the original. */
export function writePath(root: JsonObject, path: Path, value: Json | undefined): JsonObject {
  return write(root, path, value) as JsonObject;
}

function write(node: Json | undefined, path: Path, value: Json | undefined): Json | undefined {
  const [step, ...rest] = path;
  if (step === undefined) return value;
  if (typeof step === 'number') {
    const list = [...listAt(node)];
    list[step] = write(list[step], rest, value) ?? null;
    return list;
  }
  const object = objectAt(node);
  return withMember(object, step, write(object[step], rest, value));
}

/** `routing.rules[3].balancerTag` as steps. */
export function pathOf(field: string): Path {
  return [...field.matchAll(/([^.[\]]+)|\[(\d+)\]/g)].map(([, name, index]) => name ?? Number(index));
}

/** Line, counted from 1, on which a value begins in the text `JSON.stringify(root, null, 2)`; where it ends early, the last place that exists. */
export function lineOf(root: Json, path: Path): number {
  const [step, ...rest] = path;
  if (step === undefined || typeof root !== 'object' || root === null) return 1;
  const entries: [string | number, Json][] = Array.isArray(root) ? [...root.entries()] : Object.entries(root);
  let line = 2;
  for (const [key, value] of entries) {
    if (key === step) return line - 1 + lineOf(value, rest);
    line += JSON.stringify(value, null, 2).split('\n').length;
  }
  return 1;
}

/** Whether two values say the same, whatever the order of members. */
export function isSame(one: Json | undefined, other: Json | undefined): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (Array.isArray(one) || Array.isArray(other)) {
    if (!Array.isArray(one) || !Array.isArray(other) || one.length !== other.length) return false;
    return one.every((item, index) => isSame(item, other[index]));
  }
  const keys = Object.keys(one);
  return keys.length === Object.keys(other).length && keys.every((key) => key in other && isSame(one[key], other[key]));
}
