import type { Json, JsonObject } from '../contract/json.ts';

export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
/** `{}` for anything that is no object: one malformed row never breaks a subscription. */
export const objectOf = (value: Json | undefined): JsonObject => (isObject(value) ? value : {});
export const listOf = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : []);
export const textOf = (value: Json | undefined): string => (typeof value === 'string' ? value : '');
/** Members that are no text are skipped. */
export const textsOf = (value: Json | undefined): string[] =>
  listOf(value).filter((item): item is string => typeof item === 'string');
/** A text, or a number as text: stored settings carry both. */
export const scalarText = (value: Json | undefined): string =>
  typeof value === 'number' || typeof value === 'boolean' ? String(value) : textOf(value);
export const positiveInt = (value: Json | undefined): number | null =>
  typeof value === 'number' && Number.isInteger(value) && value > 0 ? value : null;
export const isEmptyValue = (value: Json | undefined): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  (Array.isArray(value) && value.length === 0) ||
  (isObject(value) && Object.keys(value).length === 0);

/** Compact JSON text with the keys sorted on every level. */
export function sortedJson(value: Json): string {
  return JSON.stringify(sorted(value));
}
export function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, sorted(value[key] ?? null)]),
  );
}

/** A header's first value, whatever the case of its name. */
export function headerValue(headers: Json | undefined, name: string): string {
  const entry = Object.entries(objectOf(headers)).find(([key]) => key.toLowerCase() === name);
  if (entry === undefined) return '';
  return Array.isArray(entry[1]) ? textOf(entry[1][0]) : textOf(entry[1]);
}

/** The object in a JSON text; null when it is none. */
export function parseObject(text: string): JsonObject | null {
  try {
    const value = JSON.parse(text) as Json;
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}
