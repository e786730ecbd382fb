import { renameSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import ElectronStore from 'electron-store';
import type * as z from 'zod';

export interface JsonFile<T> {
  read(): T;
  /** Written whole and put in place at once: a crash leaves the old one or the new one. Rejects when the disk refuses it. */
  write(value: T): Promise<void>;
}

interface FileOptions<T> {
  /** Absolute, ends in `.json`. */
  path: string;
  schema: z.ZodType<T>;
  /** What a missing file holds. */
  empty: T;
  /** Turns what an earlier version wrote into what this one writes; hands back everything else as it is. */
  carryOver?: (written: unknown) => unknown;
  /** The file could not be read and is kept beside, under this name; a new one begins. */
  onDamaged: (keptAs: string) => void;
  /** Ms since the epoch. */
  clock: () => number;
}

/** One small file with settings of this application, for its owner alone. */
export function openJsonFile<T extends Record<string, unknown>>(options: FileOptions<T>): JsonFile<T> {
  const { path, clock, onDamaged } = options;
  let opened;
  try {
    opened = open(options);
  } catch {
    const keptAs = keptName(path, clock());
    renameSync(path, join(dirname(path), keptAs));
    onDamaged(keptAs);
    opened = open(options);
  }
  let { value } = opened;
  const { store } = opened;
  return {
    read: () => value,
    async write(next) {
      value = next;
      store.store = { ...next };
    },
  };
}

/** @throws {Error} when the file holds something else than the schema describes */
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

/** `connections.json` → `connections.damaged-2026-11-21T09-30-00.json` */
function keptName(path: string, nowMs: number): string {
  const moment = new Date(nowMs).toISOString().slice(0, 19).replaceAll(':', '-');
  return `${basename(path, '.json')}.damaged-${moment}.json`;
}
