import type { Json, JsonObject } from '#wire/json';

type Path = readonly string[];

/** Value at a dotted path; undefined where there is none. Names with dots in them cannot be reached this way. */
export function readAt(root: Json | undefined, path: string): Json | undefined {
  return path.split('.').reduce<Json | undefined>((at, step) => {
    if (Array.isArray(at)) return at[Number(step)];
    return at !== null && typeof at === 'object' ? at[step] : undefined;
  }, root);
}

/** A copy with another value at a dotted path; undefined removes it. What is no object on the way becomes one. */
export function writeAt(root: JsonObject, path: string, value: Json | undefined): JsonObject {
  return write(root, path.split('.'), value) as JsonObject;
}

function write(at: Json | undefined, [step = '', ...rest]: Path, value: Json | undefined): Json {
  if (Array.isArray(at)) {
    const index = Number(step);
    if (rest.length > 0) return at.with(index, write(at[index], rest, value));
    return value === undefined
      ? at.filter((_, position) => position !== index)
      : [...at.slice(0, index), value, ...at.slice(index + 1)];
  }
  const object = at !== null && typeof at === 'object' ? at : {};
  const next = rest.length > 0 ? write(object[step], rest, value) : value;
  if (next !== undefined) return { ...object, [step]: next };
  const { [step]: _gone, ...others } = object;
  return others;
}

/** The object at a path; empty where there is none. */
export function objectAt(root: Json | undefined, path: string): JsonObject {
  const found = readAt(root, path);
  return found !== null && typeof found === 'object' && !Array.isArray(found) ? found : {};
}

/** The text at a path; empty where there is none. */
export function textAt(root: Json | undefined, path: string): string {
  const found = readAt(root, path);
  return typeof found === 'string' ? found : '';
}
