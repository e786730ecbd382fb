import { open, readdir, stat, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { GeoFile } from './contract.ts';

/** Each category of a list file begins with its name; longer ones are invalid. */
const MAX_NAME_BYTES = 256;
/** Enough for the head of one category: tag and length of the entry, tag and length of its name, the name. */
const HEAD_BYTES = 16 + MAX_NAME_BYTES;
/** Most entries read from a broken file. */
const MAX_CATEGORIES = 20_000;
/** Field 1, length-delimited: an entry of the list, and the name within an entry. */
const FIELD_ONE = 0x0a;

/** The geo files of a folder with their categories, read again only when a file has changed. */
export function createGeoLists() {
  const known = new Map<string, { stamp: string; categories: string[] }>();

  async function one(folder: string, name: string): Promise<GeoFile> {
    const path = join(folder, name);
    const { size, mtimeMs } = await stat(path);
    const stamp = `${size} ${mtimeMs}`;
    let entry = known.get(path);
    if (entry?.stamp !== stamp) {
      entry = { stamp, categories: await categoriesOf(path, size) };
      known.set(path, entry);
    }
    const kind = name.toLowerCase().includes('ip') ? 'ip' : 'site';
    return { name, size, updatedAt: Math.trunc(mtimeMs), kind, categories: entry.categories };
  }

  return {
    async read(folder: string): Promise<GeoFile[]> {
      const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.dat')).sort();
      return Promise.all(names.map((name) => one(folder, name)));
    },
  };
}

/** Reads only the heads of the entries: the bodies are megabytes. */
async function categoriesOf(path: string, size: number): Promise<string[]> {
  const names = new Set<string>();
  const file = await open(path);
  try {
    let at = 0;
    while (at < size && names.size < MAX_CATEGORIES) {
      const entry = await entryAt(file, at);
      if (entry === null) return [];
      names.add(entry.name);
      at = entry.end;
    }
  } finally {
    await file.close();
  }
  return [...names].sort();
}

async function entryAt(file: FileHandle, at: number): Promise<{ name: string; end: number } | null> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, at);
  const head = buffer.subarray(0, bytesRead);
  if (head[0] !== FIELD_ONE) return null;
  const body = lengthAt(head, 1);
  if (body === null || head[body.next] !== FIELD_ONE) return null;
  const name = lengthAt(head, body.next + 1);
  if (name === null || name.value === 0 || name.value > MAX_NAME_BYTES) return null;
  const text = head.toString('latin1', name.next, name.next + name.value).toLowerCase();
  return /^[\w!@.-]+$/.test(text) ? { name: text, end: at + body.next + body.value } : null;
}

/** A base-128 number; null when it does not end within five bytes. */
function lengthAt(bytes: Buffer, from: number): { value: number; next: number } | null {
  let value = 0;
  for (let index = 0; index < 5; index += 1) {
    const byte = bytes[from + index];
    if (byte === undefined) return null;
    value += (byte & 0x7f) * 2 ** (7 * index);
    if (byte < 0x80) return { value, next: from + index + 1 };
  }
  return null;
}
