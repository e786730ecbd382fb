import { readFileSync, renameSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import ElectronStore from 'electron-store';
import type * as z from 'zod';

export interface JsonFile<T> {
  read(): T;
  /** Written whole and moved into place: a crash leaves the old or the new file. Rejects when the disk refuses it. */
  write(value: T): Promise<void>;
}

interface FileOptions<T> {
  /** Absolute, ends in `.json`. */
  path: string;
  schema: z.ZodType<T>;
  /** Value for a missing file. */
  empty: T;
  /** Converts an earlier version's content to this one's; returns everything else unchanged. */
  carryOver?: (written: unknown) => unknown;
  /** Called when the file could not be read: it is kept under this name, and a new one begins with what is sound. */
  onDamaged: (keptAs: string) => void;
  /** Ms since the epoch. */
  clock: () => number;
}

/** One small file with settings of this application, readable by its owner only. */
export function openJsonFile<T extends Record<string, unknown>>(options: FileOptions<T>): JsonFile<T> {
  const { path, clock, onDamaged } = options;
  let opened;
  try {
    opened = open(options);
  } catch {
    const keptAs = keptName(path, clock());
    const kept = join(dirname(path), keptAs);
    renameSync(path, kept);
    onDamaged(keptAs);
    opened = open({ ...options, empty: soundPart(options, readFileSync(kept, 'utf8')) });
  }
  let { value } = opened;
  const { store } = opened;
  return {
    read: () => value,
    async write(next) {
      store.store = { ...next };
      value = next;
    },
  };
}

/** @throws {Error} when the content does not match the schema */
function open<T extends Record<string, unknown>>({
  path,
  schema,
  empty,
  carryOver = (written) => written,
}: FileOptions<T>) {
  let isCarriedOver = false;
  const store = new ElectronStore<Record<string, unknown>>({
    cwd: dirname(path),
    name: basename(path, '.json'),
    defaults: { ...empty },
    accessPropertiesByDotNotation: false,
    configFileMode: 0o600,
    deserialize(text) {
      const written: unknown = JSON.parse(text);
      const carried = carryOver(written);
      isCarriedOver = carried !== written;
      return { ...schema.parse(carried) };
    },
  });
  const value = schema.parse({ ...store.store });
  if (isCarriedOver) store.store = { ...value };
  return { store, value };
}

/** The members, and the entries of lists, that are as they should be; the value of a missing file for all others. */
function soundPart<T extends Record<string, unknown>>(
  { schema, empty, carryOver = (written) => written }: FileOptions<T>,
  text: string,
): T {
  let written: unknown;
  try {
    written = carryOver(JSON.parse(text));
  } catch {
    return empty;
  }
  if (typeof written !== 'object' || written === null || Array.isArray(written)) return empty;
  const sound: Record<string, unknown> = { ...empty, ...written };
  const unsound = schema.safeParse(sound).error?.issues ?? [];
  for (const member of new Set(unsound.map(({ path: [first] }) => String(first)))) {
    const within = unsound.filter(({ path: [first] }) => first === member).map(({ path: [, second] }) => second);
    const value = sound[member];
    if (Array.isArray(value) && within.every((index) => typeof index === 'number'))
      sound[member] = value.filter((_, index) => !within.includes(index));
    else if (member in empty) sound[member] = empty[member];
    else Reflect.deleteProperty(sound, member);
  }
  return schema.safeParse(sound).data ?? empty;
}

/** `connections.json` → `connections.damaged-2026-11-21T09-30-00.json` */
function keptName(path: string, nowMs: number): string {
  const moment = new Date(nowMs).toISOString().slice(0, 19).replaceAll(':', '-');
  return `${basename(path, '.json')}.damaged-${moment}.json`;
}
