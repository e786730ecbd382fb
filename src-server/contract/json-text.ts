import type * as z from 'zod';
import type { JsonObject } from './json.ts';

/** The object in a JSON text; null for empty text, invalid JSON, and JSON that is not an object. */
export function parseJsonObject(text: string): JsonObject | null {
  const value = parsed(text);
  return isObject(value) ? value : null;
}

/** The objects of a list in a JSON text; none for any other text. */
export function parseJsonObjects(text: string): JsonObject[] {
  const value = parsed(text);
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/**
 * Reads stored JSON. Text that is none or has another shape, as after an edit by hand, counts as `otherwise`: one field
 * must neither hide a whole list nor keep the panel from starting.
 */
export function readJson<T>(schema: z.ZodType<T>, text: string, otherwise: T): T {
  return text === '' ? otherwise : (schema.safeParse(parsed(text)).data ?? otherwise);
}

function parsed(text: string): unknown {
  if (text === '') return null;
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
