import { FilterParser, type Client, type Entry, type Filter } from 'ldapts';
import type { Settings } from '../settings/contract.ts';
import { DirectoryError } from './directory-failure.ts';
import { listOf } from '../settings/checks/field-checks.ts';

export type DirectoryQuery = Pick<
  Settings,
  | 'ldapBaseDN'
  | 'ldapUserFilter'
  | 'ldapUserAttr'
  | 'ldapVlessField'
  | 'ldapFlagField'
  | 'ldapTruthyValues'
  | 'ldapInvertFlag'
>;

/** A person in the directory. */
export interface DirectoryEntry {
  /** Values of the name attribute, as texts. */
  names: string[];
  /** The flag allows a client. */
  isAllowed: boolean;
}

export interface FoundEntries {
  entries: DirectoryEntry[];
  /** DNs of entries whose name attribute holds bytes that are not text. */
  notText: string[];
  /** Number of entries without the name attribute. */
  nameless: number;
}

/** Entries per page: small enough that parsing one response does not block anything else. */
const PAGE_SIZE = 200;
const MAX_ENTRIES = 200_000;

type Searching = Pick<Client, 'searchPaginated'>;

/**
 * Everyone whom the filter finds, page by page.
 *
 * A directory may return an empty page and continue after it, where the library stops. An empty page at the end is
 * therefore accepted only when a search with another page size does not end with one.
 * @throws {DirectoryError} `directory.noBase`, `.filter`, `.tooMany`, `.partial`
 */
export async function readEntries(client: Searching, query: DirectoryQuery): Promise<FoundEntries> {
  const first = await readPages(client, query, PAGE_SIZE);
  if (!first.endsEmpty) return first.found;
  const second = await readPages(client, query, PAGE_SIZE + 1);
  if (second.endsEmpty) throw new DirectoryError('search', 'directory.partial', { text: 'an empty page' });
  return second.found;
}

async function readPages(client: Searching, query: DirectoryQuery, pageSize: number) {
  const { nameAttribute, flagAttribute } = attributesOf(query);
  const isAllowed = flagRule(query);
  const found: FoundEntries = { entries: [], notText: [], nameless: 0 };
  let count = 0;
  let endsEmpty = false;
  const pages = client.searchPaginated(baseOf(query), {
    scope: 'sub',
    filter: userFilter(query),
    attributes: flagAttribute === '' ? [nameAttribute] : [nameAttribute, flagAttribute],
    paged: { pageSize },
  });
  for await (const { searchEntries } of pages) {
    endsEmpty = count > 0 && searchEntries.length === 0;
    count += searchEntries.length;
    if (count > MAX_ENTRIES) throw new DirectoryError('search', 'directory.tooMany', { limit: MAX_ENTRIES });
    for (const entry of searchEntries) {
      const names = valuesOf(entry, nameAttribute);
      // Some values may be text, but it is unclear which of them names the client.
      if (names.some((value) => typeof value !== 'string')) found.notText.push(entry.dn);
      else if (names.length === 0) found.nameless += 1;
      else found.entries.push({ names: names as string[], isAllowed: isAllowed(valuesOf(entry, flagAttribute)) });
    }
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
  return { found, endsEmpty };
}

/** @throws {DirectoryError} `directory.noBase` */
export function baseOf({ ldapBaseDN }: Pick<DirectoryQuery, 'ldapBaseDN'>): string {
  const base = ldapBaseDN.trim();
  if (base === '') throw new DirectoryError('search', 'directory.noBase');
  return base;
}

/** @throws {DirectoryError} `directory.filter` */
export function userFilter({ ldapUserFilter }: Pick<DirectoryQuery, 'ldapUserFilter'>): Filter {
  const text = ldapUserFilter.trim() || '(objectClass=*)';
  const refused = (reason: string, options?: ErrorOptions) =>
    new DirectoryError('search', 'directory.filter', { text: reason }, options);
  // The library skips what it does not understand, and would find the wrong people.
  if (!isBalanced(text)) throw refused('its brackets do not match');
  try {
    return FilterParser.parseString(text);
  } catch (cause) {
    throw refused((cause as Error).message, { cause });
  }
}

/** One expression in brackets, or one without any; brackets inside values are escaped as `\28` and `\29`. */
function isBalanced(filter: string): boolean {
  let depth = 0;
  for (let at = 0; at < filter.length; at += 1) {
    const char = filter[at];
    if (char === '(') depth += 1;
    if (char === ')') depth -= 1;
    const isOver = depth === 0 && filter.startsWith('(') && at < filter.length - 1;
    if (depth < 0 || isOver) return false;
  }
  return depth === 0;
}

export function attributesOf(query: Pick<DirectoryQuery, 'ldapUserAttr' | 'ldapFlagField' | 'ldapVlessField'>) {
  return {
    nameAttribute: query.ldapUserAttr.trim() || 'mail',
    /** Empty = every entry found is allowed. */
    flagAttribute: query.ldapFlagField.trim() || query.ldapVlessField.trim(),
  };
}

function flagRule(query: DirectoryQuery): (values: readonly (string | Buffer)[]) => boolean {
  if (attributesOf(query).flagAttribute === '') return () => true;
  const truthy = new Set<string | Buffer>(listOf(query.ldapTruthyValues));
  return (values) => values.some((value) => truthy.has(value)) !== query.ldapInvertFlag;
}

/** Values of an attribute, ignoring the case of its name in the response. */
function valuesOf(entry: Entry, attribute: string): (string | Buffer)[] {
  const wanted = attribute.toLowerCase();
  const key = Object.keys(entry).find((name) => name !== 'dn' && name.toLowerCase() === wanted);
  const value = key === undefined ? [] : entry[key]!;
  return Array.isArray(value) ? value : [value];
}
