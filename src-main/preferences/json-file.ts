import { mkdirSync, readFileSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type * as z from 'zod';

export interface JsonFile<T> {
  read(): T;
  /** Written whole and put in place by a rename: a crash leaves the old or the new one. */
  write(value: T): Promise<void>;
}

/**
 * One small file with settings of this application, for its owner alone. A missing or damaged file reads as `empty`.
 * @param path absolute
 */
export function openJsonFile<T>(path: string, schema: z.ZodType<T>, empty: T): JsonFile<T> {
  let value = load();
  let writing: Promise<void> = Promise.resolve();

  function load(): T {
    try {
      const parsed = schema.safeParse(JSON.parse(readFileSync(path, 'utf8')));
      return parsed.success ? parsed.data : empty;
    } catch {
      return empty;
    }
  }

  async function save(text: string): Promise<void> {
    mkdirSync(dirname(path), { recursive: true });
    await writeFile(`${path}.new`, text, { mode: 0o600 });
    await rename(`${path}.new`, path);
  }

  /** One write at a time; that an earlier one failed is the business of whoever asked for it. */
  async function afterwards(earlier: Promise<void>, text: string): Promise<void> {
    await earlier.catch(() => undefined);
    await save(text);
  }

  return {
    read: () => value,
    write(next) {
      value = next;
      writing = afterwards(writing, JSON.stringify(next, null, 2));
      return writing;
    },
  };
}
