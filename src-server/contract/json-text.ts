import type { JsonObject } from './json.ts';

/** The object in a JSON text; null for empty text, text that is no JSON, and JSON that is no object. */
export function parseJsonObject(text: string): JsonObject | null {
  if (text === '') return null;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : null;
  } catch {
    return null;
  }
}
