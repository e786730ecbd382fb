import type { Schema, Schemas } from './api-document.ts';

const DEEPEST = 4;

/** A member of a schema as a line of a table. */
export interface SchemaRow {
  /** `client.email`, `items[].id`; empty for a schema that is not an object. */
  name: string;
  type: string;
  isRequired: boolean;
  note: string;
}

/** Members of a schema, nested ones included, as lines. */
export function schemaRows(schema: Schema, schemas: Schemas): SchemaRow[] {
  const rows = membersOf(schema, schemas, '', 0);
  return rows.length > 0
    ? rows
    : [{ name: '', type: typeOf(schema, schemas), isRequired: false, note: noteOf(schema) }];
}

function membersOf(schema: Schema, schemas: Schemas, prefix: string, depth: number): SchemaRow[] {
  const known = resolve(schema, schemas);
  if (depth > DEEPEST) return [];
  if (known.items !== undefined) return membersOf(known.items, schemas, `${prefix}[]`, depth);
  // Alternatives ("this object or null") show the members of all, each name once.
  const parts = [...(known.allOf ?? []), ...(known.anyOf ?? []), ...(known.oneOf ?? [])];
  const own = Object.entries(known.properties ?? {}).flatMap(([name, member]) => {
    const path = prefix === '' ? name : `${prefix}.${name}`;
    const row = {
      name: path,
      type: typeOf(member, schemas),
      isRequired: known.required?.includes(name) === true,
      note: noteOf({ ...resolve(member, schemas), ...member }),
    };
    return [row, ...membersOf(member, schemas, path, depth + 1)];
  });
  const all = [...own, ...parts.flatMap((part) => membersOf(part, schemas, prefix, depth))];
  return all.filter(({ name }, at) => all.findIndex((other) => other.name === name) === at);
}

/** A short text of a type: `integer 1..65535`, `"a" | "b"`, `string[]`. */
export function typeOf(schema: Schema, schemas: Schemas): string {
  const known = resolve(schema, schemas);
  const choices = known.anyOf ?? known.oneOf;
  if (choices !== undefined) return [...new Set(choices.map((choice) => typeOf(choice, schemas)))].join(' | ');
  if (known.enum !== undefined) return known.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (known.const !== undefined) return JSON.stringify(known.const);
  if (known.items !== undefined) {
    const inner = typeOf(known.items, schemas);
    return inner.includes(' ') ? `(${inner})[]` : `${inner}[]`;
  }
  const name = Array.isArray(known.type) ? known.type.join(' | ') : (known.type ?? 'any');
  return `${name}${rangeOf(known)}`;
}

/** Meaningless bounds (the largest safe integer) are left out. */
function rangeOf({ minimum, maximum, minLength, maxLength }: Schema): string {
  const low = minimum ?? minLength;
  const high = maximum ?? maxLength;
  const lowText = low === undefined || low <= Number.MIN_SAFE_INTEGER ? '' : String(low);
  const highText = high === undefined || high >= Number.MAX_SAFE_INTEGER ? '' : String(high);
  return lowText === '' && highText === '' ? '' : ` ${lowText}..${highText}`;
}

function noteOf({ description = '', default: standard }: Schema): string {
  return [description, standard === undefined ? '' : `= ${JSON.stringify(standard)}`].filter(Boolean).join(' ');
}

/** An example value of a schema: the required members, or all where none is required. */
export function exampleOf(schema: Schema, schemas: Schemas, depth = 0): unknown {
  const known = resolve(schema, schemas);
  if (known.default !== undefined) return known.default;
  if (known.const !== undefined) return known.const;
  if (known.enum !== undefined) return known.enum[0];
  const choice = (known.anyOf ?? known.oneOf)?.[0];
  if (choice !== undefined) return exampleOf(choice, schemas, depth);
  const type = Array.isArray(known.type) ? known.type[0] : known.type;
  switch (type) {
    case 'string':
      return known.minLength === undefined ? '' : 'text'.padEnd(known.minLength, 'x');
    case 'integer':
    case 'number':
      return Math.max(0, known.minimum ?? 0);
    case 'boolean':
      return false;
    case 'array':
      return known.items === undefined || depth > DEEPEST ? [] : [exampleOf(known.items, schemas, depth + 1)];
    case 'object':
      return depth > DEEPEST ? {} : exampleObject(known, schemas, depth);
    default:
      return known.properties === undefined && known.allOf === undefined ? null : exampleObject(known, schemas, depth);
  }
}

function exampleObject(schema: Schema, schemas: Schemas, depth: number): object {
  const parts = [schema, ...(schema.allOf ?? []).map((part) => resolve(part, schemas))];
  const members = parts.flatMap(({ properties = {}, required = [] }) =>
    Object.entries(properties).map(([name, member]) => ({ name, member, isRequired: required.includes(name) })),
  );
  const isAnyRequired = members.some(({ isRequired }) => isRequired);
  return Object.fromEntries(
    members
      .filter(({ isRequired }) => isRequired || !isAnyRequired)
      .map(({ name, member }) => [name, exampleOf(member, schemas, depth + 1)]),
  );
}

/** The schema that a reference names. */
export function resolve(schema: Schema, schemas: Schemas): Schema {
  const name = schema.$ref?.split('/').at(-1);
  return name === undefined ? schema : (schemas[name] ?? {});
}
