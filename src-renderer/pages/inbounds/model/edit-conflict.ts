import type { Json, JsonObject } from '#wire/json';
import { readAt, writeAt } from './json-path.ts';

/** Dotted paths of what differs, as deep as objects go; a list counts as one thing. */
export function changedPaths(before: JsonObject, after: JsonObject): string[] {
  return differing(before, after, '');
}

function differing(before: Json | undefined, after: Json | undefined, path: string): string[] {
  if (before === after || JSON.stringify(before) === JSON.stringify(after)) return [];
  if (!isObject(before) || !isObject(after)) return [path];
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].flatMap((name) =>
    // A name with a dot in it cannot be part of a path: the object that has it counts as a whole.
    name.includes('.')
      ? JSON.stringify(before[name]) === JSON.stringify(after[name])
        ? []
        : [path]
      : differing(before[name], after[name], path === '' ? name : `${path}.${name}`),
  );
}

/** What was typed here where it was typed, what they stored everywhere else. */
export function mergedDraft(base: JsonObject, mine: JsonObject, theirs: JsonObject): JsonObject {
  return changedPaths(base, mine).reduce((at, path) => writeAt(at, path, readAt(mine, path)), theirs);
}

const isObject = (value: Json | undefined): value is JsonObject =>
  value !== null && typeof value === 'object' && !Array.isArray(value);
