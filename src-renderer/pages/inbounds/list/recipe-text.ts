import type { Json, JsonObject } from '#wire/json';
import { isObject, jsonText } from '../../../forms/draft/json.ts';

/** Members that are secret anywhere in an inbound. */
const SECRET = new Set([
  'privateKey',
  'secretKey',
  'password',
  'key',
  'keyFile',
  'echServerKeys',
  'mldsa65Seed',
  'decryption',
]);
const KEPT = ['remark', 'port', 'protocol', 'settings', 'streamSettings', 'sniffing'] as const;
const WHOSE = new Set(['clients', 'accounts', 'peers', 'users']);

/**
 * An inbound as text from which another panel can create a similar one: without its clients, keys and passwords. Keys
 * become empty texts, so that the editor asks for them.
 */
export function recipeText(inbound: JsonObject): string {
  const recipe = Object.fromEntries(
    KEPT.filter((key) => inbound[key] !== undefined).map((key) => [key, withoutSecrets(inbound[key]!)]),
  );
  return jsonText(recipe);
}

function withoutSecrets(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !WHOSE.has(key))
      .map(([key, inner]) => [key, SECRET.has(key) && inner !== 'none' ? emptied(inner) : withoutSecrets(inner)]),
  );
}

const emptied = (value: Json): Json => (Array.isArray(value) ? [] : '');
