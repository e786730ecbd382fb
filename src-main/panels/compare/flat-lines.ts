type Json = unknown;

/** Longest value that is shown. */
const MAX_SHOWN = 400;
const SECRET =
  /token|secret|passw|private|preshared|apikey|^pass$|^id$|^uuid$|^auth$|seed|license|decryption|keyfile$|^key$/i;
/** Arrays whose members have names. */
const NAMED_BY = ['tag', 'ruleTag', 'email'] as const;

/** One value of a document, by its path. A member of a named list goes by its name. */
export interface FlatLine {
  path: string[];
  value: Json;
  isSecret: boolean;
}

/** The values of a document as lines: leaves, and arrays of leaves as one line. */
export function flatLines(value: Json, path: string[] = []): FlatLine[] {
  if (isObject(value)) {
    const entries = Object.entries(value);
    if (entries.length === 0) return path.length === 0 ? [] : [line(path, value)];
    return entries.flatMap(([key, inner]) => flatLines(inner, [...path, key]));
  }
  const names = namesOf(value);
  if (names === null) return [line(path, value)];
  // A named member is one line: half of another panel's outbound is useless.
  return names.map((name, index) => line([...path, `[${name}]`], (value as Json[])[index]));
}

const line = (path: string[], value: Json): FlatLine => ({
  path,
  value,
  isSecret: holdsSecret(path.at(-1) ?? '', value),
});

/** Whether a value, or anything within it, may be a secret. */
function holdsSecret(name: string, value: Json): boolean {
  if (value === null || value === '' || typeof value === 'boolean' || typeof value === 'number') return false;
  if (SECRET.test(name)) return true;
  if (Array.isArray(value)) return value.some((inner) => holdsSecret('', inner));
  return isObject(value) && Object.entries(value).some(([key, inner]) => holdsSecret(key, inner));
}

export const isObject = (value: Json): value is Record<string, Json> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Names of the members of a list, all different; null: some have none. */
function namesOf(value: Json): string[] | null {
  if (!Array.isArray(value) || value.length === 0) return null;
  const names = value.map((member) => (isObject(member) ? nameOf(member) : null));
  if (names.some((name) => name === null) || new Set(names).size !== names.length) return null;
  return names as string[];
}

function nameOf(member: Record<string, Json>): string | null {
  for (const key of NAMED_BY) if (typeof member[key] === 'string' && member[key] !== '') return member[key];
  return null;
}

/** The value on one line. */
export function shown(value: Json): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}

/** The document with one line set; named members are replaced by name or appended. */
export function withLine(document: Json, [first, ...rest]: readonly string[], value: Json): Json {
  if (first === undefined) return value;
  const name = /^\[(.*)\]$/s.exec(first)?.[1];
  if (name !== undefined) {
    const members: Json[] = Array.isArray(document) ? document : [];
    const index = members.findIndex((member) => isObject(member) && nameOf(member) === name);
    return index === -1 ? [...members, value] : members.map((member, at) => (at === index ? value : member));
  }
  const object = isObject(document) ? document : {};
  return { ...object, [first]: withLine(object[first], rest, value) };
}
