import { readdir, readFile } from 'node:fs/promises';
import { setImmediate as breathe } from 'node:timers/promises';

/** Members that one object of a contract declares, with what its comments say of them. */
export interface DeclaredObject {
  /** Domain of the contract; empty = shared by all. */
  domain: string;
  names: readonly string[];
  notes: Readonly<Record<string, string>>;
}

/** Written beside the bundle, which has no comments any more. */
export const NOTES_FILE = 'field-notes.json';

/** What the comments of the contracts say of their fields; nothing where neither sources nor their notes are found. */
export async function readFieldNotes(): Promise<DeclaredObject[]> {
  try {
    return JSON.parse(await readFile(new URL(`./${NOTES_FILE}`, import.meta.url), 'utf8')) as DeclaredObject[];
  } catch {
    return notesOfSources(new URL('../', import.meta.url)).catch(() => []);
  }
}

/** @param sources folder of the panel's sources, ending in `/` */
export async function notesOfSources(sources: URL): Promise<DeclaredObject[]> {
  const found: DeclaredObject[] = [];
  const shared = (await readdir(new URL('contract/', sources))).map((file) => ({
    domain: '',
    path: `contract/${file}`,
  }));
  const domains = (await readdir(new URL('domains/', sources))).sort();
  const own = domains.map((domain) => ({ domain, path: `domains/${domain}/contract.ts` }));
  for (const { domain, path } of [...own, ...shared.filter((file) => !file.path.endsWith('.test.ts'))]) {
    const source = await readFile(new URL(path, sources), 'utf8').catch(() => '');
    found.push(...declaredObjects(source).map((object) => ({ domain, ...object })));
    await breathe();
  }
  return found;
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

/** The objects of a source that say something of their members. */
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

/** A comment as running text; what it refers to is named, not linked. */
function sentence(comment: string): string {
  return comment
    .split('\n')
    .map((line) => line.trim().replace(/^\*\s?/, ''))
    .join(' ')
    .replaceAll(/\{@link (\w+)\}/g, '$1')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
