import { readdir, readFile } from 'node:fs/promises';
import { sep } from 'node:path';
import { setImmediate as breathe } from 'node:timers/promises';

/** Members that one contract object declares, with their comments. */
export interface DeclaredObject {
  /** Domain of the contract; empty = shared by all. */
  domain: string;
  names: readonly string[];
  notes: Readonly<Record<string, string>>;
}

/** The comments of all contracts. */
export interface FieldNotes {
  objects: readonly DeclaredObject[];
  /** Domain of the contract that declares the calls of a path. */
  domains: Readonly<Record<string, string>>;
}

/** Written beside the bundle, which no longer has comments. */
export const NOTES_FILE = 'field-notes.json';
export const NO_NOTES: FieldNotes = { objects: [], domains: {} };

/** Field comments of the contracts; empty where neither the sources nor their notes exist. */
export async function readFieldNotes(): Promise<FieldNotes> {
  try {
    return JSON.parse(await readFile(new URL(`./${NOTES_FILE}`, import.meta.url), 'utf8')) as FieldNotes;
  } catch {
    return notesOfSources(new URL('../', import.meta.url)).catch(() => NO_NOTES);
  }
}

/** The call that returns the document itself. */
const DOCUMENTATION = { domain: 'openapi', path: 'openapi/contract.ts' };

/** @param sources folder of the panel's sources, ending in `/` */
export async function notesOfSources(sources: URL): Promise<FieldNotes> {
  const objects: DeclaredObject[] = [];
  const paths: { path: string; domain: string }[] = [];
  const prefixes = new Map<string, string>();
  const shared = (await readdir(new URL('contract/', sources))).map((file) => ({
    domain: '',
    path: `contract/${file}`,
  }));
  const files = (await readdir(new URL('domains/', sources), { recursive: true })).sort();
  const own = files
    .map((file) => file.split(sep))
    .filter((parts) => parts.at(-1) === 'contract.ts')
    .map((parts) => ({ domain: parts[0]!, path: `domains/${parts.join('/')}` }));
  for (const { domain, path } of [...own, DOCUMENTATION, ...shared.filter((file) => !file.path.endsWith('.test.ts'))]) {
    const source = await readFile(new URL(path, sources), 'utf8').catch(() => '');
    objects.push(...declaredObjects(source).map((object) => ({ domain, ...object })));
    const own = new Map(textConstants(source));
    for (const [name, text] of own) prefixes.set(name, text);
    for (const { groups } of source.matchAll(PATH)) {
      const { plain, template = `\${${groups?.['name'] ?? ''}}` } = groups ?? {};
      paths.push({ path: plain ?? filled(template, own), domain });
    }
    await breathe();
  }
  // The remaining names are imported from another contract.
  const domainOf = paths.map(({ path, domain }) => [filled(path, prefixes), domain] as const);
  return { objects, domains: Object.fromEntries(domainOf) };
}

const PATH = /\bendpoint\(\s*'[A-Z]+',\s*(?:'(?<plain>[^']+)'|`(?<template>[^`]+)`|(?<name>\w+),)/g;

const filled = (template: string, constants: ReadonlyMap<string, string>): string =>
  template.replace(/\$\{(\w+)\}/, (all, name: string) => constants.get(name) ?? all);

function textConstants(source: string): [string, string][] {
  return [...source.matchAll(/\bconst (\w+) = '([^']*)';/g)].map(([, name, text]) => [name!, text!]);
}

interface Frame {
  names: string[];
  notes: Record<string, string>;
  /** A comment that waits for its member. */
  comment: string;
  /** Parentheses and brackets that are open inside. */
  depth: number;
}

/** One step through a source: comments, texts, patterns, names of members, brackets. */
const STEP =
  /\/\*\*(?<doc>[\s\S]*?)\*\/|\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`|(?<=[(,=:&|?!>]\s*)\/(?:\\.|\[(?:\\.|[^\]\\])*\]|[^/\\\n])+\/[a-z]*|(?<name>[A-Za-z_$][\w$]*)(?=\??:)|[{}()[\],;]|[A-Za-z_$][\w$]*/g;

/** The objects in a source whose members have comments. */
export function declaredObjects(source: string): Omit<DeclaredObject, 'domain'>[] {
  const found: Omit<DeclaredObject, 'domain'>[] = [];
  const open: Frame[] = [];
  for (const { 0: text, groups } of source.matchAll(STEP)) {
    const frame = open.at(-1);
    if (text === '{') open.push({ names: [], notes: {}, comment: '', depth: 0 });
    else if (frame === undefined) continue;
    else if (text === '}') {
      open.pop();
      if (Object.keys(frame.notes).length > 0) found.push({ names: frame.names, notes: frame.notes });
    } else if (text === '(' || text === '[') frame.depth += 1;
    else if (text === ')' || text === ']') frame.depth -= 1;
    else if (frame.depth > 0) continue;
    else if (groups?.['doc'] !== undefined) frame.comment = sentence(groups['doc']);
    else if (groups?.['name'] !== undefined) {
      frame.names.push(text);
      if (frame.comment !== '') frame.notes[text] = frame.comment;
      frame.comment = '';
    } else if (text === ',' || text === ';') frame.comment = '';
  }
  return found;
}

/** A comment as running text; links become plain names. */
function sentence(comment: string): string {
  return comment
    .split('\n')
    .map((line) => line.trim().replace(/^\*\s?/, ''))
    .join(' ')
    .replaceAll(/\{@link (\w+)\}/g, '$1')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
