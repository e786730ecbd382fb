import type { ApiCall, Schema, Schemas } from './api-document.ts';
import { addressOf } from './request-address.ts';
import { resolve } from './schema-view.ts';

/** Input of a sample. */
export interface SampleOptions {
  /** The panel's own address with its base path, without a `/` at the end. */
  origin: string;
  /** Body as JSON text, empty = none. */
  body: string;
  schemas: Schemas;
}

/** Depth to which types are expanded. */
const DEEPEST = 4;

/** A shell command. It reads the token from a variable, so that no shell history keeps it. */
export function curlSample(call: ApiCall, { origin, body }: SampleOptions): string {
  const parts = [
    'curl',
    ...(call.method === 'GET' ? [] : [`-X ${call.method}`]),
    shellText(sampleAddress(call, origin)),
  ];
  parts.push('-H "Authorization: Bearer $PANEL_TOKEN"');
  if (body !== '') parts.push("-H 'Content-Type: application/json'", `-d ${shellText(compact(body))}`);
  parts.push(...filesOf(call).map((name) => `-F '${name}=@/path/to/file'`));
  if (call.isFile) parts.push('-OJ');
  return parts.join(' \\\n  ');
}

/** A program, with the type of the result. */
export function typescriptSample(call: ApiCall, { origin, body, schemas }: SampleOptions): string {
  const files = filesOf(call);
  const headers = [
    "Authorization: `Bearer ${process.env['PANEL_TOKEN']}`",
    ...(body === '' ? [] : ["'Content-Type': 'application/json'"]),
  ];
  const lines = [
    ...(files.length === 0 ? [] : ['const form = new FormData();']),
    ...files.map((name) => `form.append('${name}', await openAsBlob('/path/to/file'));`),
    ...(files.length === 0 ? [] : ['']),
    `const answer = await fetch(${JSON.stringify(sampleAddress(call, origin))}, {`,
    ...(call.method === 'GET' ? [] : [`  method: '${call.method}',`]),
    `  headers: { ${headers.join(', ')} },`,
    ...(body === '' ? [] : [`  body: JSON.stringify(${indented(body)}),`]),
    ...(files.length === 0 ? [] : ['  body: form,']),
    '});',
  ];
  if (files.length > 0) lines.unshift("import { openAsBlob } from 'node:fs';", '');
  if (call.isFile) return [...lines, 'const file = await answer.arrayBuffer();'].join('\n');
  const result = call.result === null ? 'unknown' : typeText(call.result, schemas, 0);
  if (!call.isEnvelope) return [...lines, `const result = (await answer.json()) as ${result};`].join('\n');
  return [
    `type Result = ${result};`,
    '',
    ...lines,
    'const { success, msg, obj } = (await answer.json()) as { success: boolean; msg: string; obj: Result };',
    'if (!success) throw new Error(msg);',
  ].join('\n');
}

/** Replaces values by the names of what to put there. */
function sampleAddress(call: ApiCall, origin: string): string {
  const needed = call.parameters.filter(({ required, in: place }) => required || place === 'path');
  return origin + addressOf(call, Object.fromEntries(needed.map(({ name }) => [name, name.toUpperCase()])));
}

/** Names of the fields that take a file. */
const filesOf = ({ upload }: ApiCall): string[] =>
  Object.entries(upload?.properties ?? {})
    .filter(([, { format }]) => format === 'binary')
    .map(([name]) => name);

const shellText = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
const compact = (body: string): string => JSON.stringify(JSON.parse(body));
const indented = (body: string): string => body.replaceAll('\n', '\n  ');
const isPlainName = (name: string): boolean => /^[A-Za-z_$][\w$]*$/.test(name);

/** A schema as a type; what is nested too deep becomes `unknown`. */
function typeText(schema: Schema, schemas: Schemas, depth: number): string {
  const known = resolve(schema, schemas);
  const choices = known.anyOf ?? known.oneOf;
  if (choices !== undefined) return [...new Set(choices.map((choice) => typeText(choice, schemas, depth)))].join(' | ');
  if (known.allOf !== undefined) return known.allOf.map((part) => typeText(part, schemas, depth)).join(' & ');
  if (known.const !== undefined) return JSON.stringify(known.const);
  if (known.enum !== undefined) return known.enum.map((value) => JSON.stringify(value)).join(' | ');
  const types = Array.isArray(known.type) ? known.type : [known.type ?? ''];
  return types.map((type) => oneType(type, known, schemas, depth)).join(' | ');
}

function oneType(type: string, schema: Schema, schemas: Schemas, depth: number): string {
  if (type === 'integer' || type === 'number') return 'number';
  if (['string', 'boolean', 'null'].includes(type)) return type;
  if (depth > DEEPEST) return 'unknown';
  if (type === 'array')
    return `Array<${schema.items === undefined ? 'unknown' : typeText(schema.items, schemas, depth)}>`;
  if (schema.properties === undefined) {
    const { additionalProperties: others } = schema;
    return typeof others === 'object' ? `Record<string, ${typeText(others, schemas, depth)}>` : 'unknown';
  }
  const margin = '  '.repeat(depth + 1);
  const members = Object.entries(schema.properties).map(([name, member]) => {
    const mark = schema.required?.includes(name) === true ? '' : '?';
    const key = isPlainName(name) ? name : JSON.stringify(name);
    return `${margin}${key}${mark}: ${typeText(member, schemas, depth + 1)};\n`;
  });
  return `{\n${members.join('')}${'  '.repeat(depth)}}`;
}
