import type { Json, JsonObject } from '../../contract/json.ts';

/**
 * Plain only where no version of YAML could read anything but this text: a letter or slash first, no special
 * characters.
 */
const PLAIN = /^[A-Za-z/][\w./,+-]*( [\w./,+-]+)*$/;
const WORDS = /^(?:null|true|false|yes|no|on|off|y|n)$/i;

/**
 * A scalar for YAML 1.1 and 1.2 alike; a text that is not certainly plain becomes a quoted JSON string, which YAML
 * reads too.
 */
export function yamlScalar(value: string | number | boolean | null): string {
  if (typeof value !== 'string') return String(value);
  return PLAIN.test(value) && !WORDS.test(value) ? value : quoted(value);
}

function quoted(text: string): string {
  // Beyond JSON's own escapes: characters that YAML takes for line breaks or refuses in a stream.
  return JSON.stringify(text.toWellFormed()).replaceAll(
    /[\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff\ufffe\uffff]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Longest key that YAML accepts on one line with its colon, with room to spare. */
const MAX_KEY = 1_000;

/** Lines of an object, list members level with their key. */
export function yamlLines(value: JsonObject): string[] {
  return Object.entries(value).flatMap(([key, member]) => {
    const scalar = yamlScalar(key);
    if (scalar.length > MAX_KEY) return [`? ${scalar}`, ...yamlItems([member]).map((line) => line.replace('-', ':'))];
    const name = `${scalar}:`;
    if (typeof member !== 'object' || member === null) return [`${name} ${yamlScalar(member)}`];
    if (Object.keys(member).length === 0) return [`${name} ${Array.isArray(member) ? '[]' : '{}'}`];
    if (Array.isArray(member)) return [name, ...yamlItems(member)];
    return [name, ...yamlLines(member).map((line) => `  ${line}`)];
  });
}

export function yamlItems(items: readonly Json[]): string[] {
  return items.flatMap((item) => {
    if (typeof item !== 'object' || item === null) return [`- ${yamlScalar(item)}`];
    if (Object.keys(item).length === 0) return [Array.isArray(item) ? '- []' : '- {}'];
    const lines = Array.isArray(item) ? yamlItems(item) : yamlLines(item);
    return lines.map((line, at) => `${at === 0 ? '-' : ' '} ${line}`);
  });
}
