import type { Json, JsonObject } from '#wire/json';
import { isObject, isUnwritable, readAt, writeAt } from './json.ts';

/** Whether two values are equal, whatever the order of members. */
export function isSame(one: Json | undefined, other: Json | undefined): boolean {
  if (one === other) return true;
  if (Array.isArray(one))
    return (
      Array.isArray(other) && one.length === other.length && one.every((item, index) => isSame(item, other[index]))
    );
  if (!isObject(one) || !isObject(other)) return false;
  const keys = Object.keys(one);
  return keys.length === Object.keys(other).length && keys.every((key) => key in other && isSame(one[key], other[key]));
}

/** Dotted paths of the differences, as deep as objects go; an array counts as one value. */
export function changedPaths(before: Json | undefined, after: Json | undefined, path = ''): string[] {
  if (isSame(before, after)) return [];
  if (!isObject(before) || !isObject(after)) return [path];
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  // A path cannot hold this name: its object counts as a whole.
  if (names.some((name) => isUnwritable(name) && !isSame(before[name], after[name]))) return [path];
  return names.flatMap((name) => changedPaths(before[name], after[name], path === '' ? name : `${path}.${name}`));
}

/** Local edits where there are any, the stored values of others everywhere else. */
export function mergedDraft(base: JsonObject, mine: JsonObject, theirs: JsonObject): JsonObject {
  return changedPaths(base, mine).reduce((at, path) => writeAt(at, path, readAt(mine, path)), theirs);
}
