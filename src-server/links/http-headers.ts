import type { Json, JsonObject } from '../contract/json.ts';
import { asText } from './encoding.ts';

/** Value of a header by name in any letter case; the first one of a list. */
export function headerValue(headers: JsonObject, name: string): string {
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name);
  const value: Json | undefined = found?.[1];
  return Array.isArray(value) ? asText(value[0]) : asText(value);
}

export function withoutHost(headers: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(headers).filter(([key]) => key.toLowerCase() !== 'host'));
}
