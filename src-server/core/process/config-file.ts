import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { syncFolder } from '../../durable-files.ts';
import type { Json, JsonObject } from '../config/source.ts';
import { createTimeSlices } from '../../time-slices.ts';

/** Elements of a long list that are serialised at once: well below a millisecond. */
const BATCH = 256;
/** Maximum depth of long lists: inbounds, one inbound, its settings, its clients. */
const DEPTH = 6;
const FLUSH_CHARS = 256 * 1024;

/** The JSON text of a value in pieces, so that 50,000 clients are not serialised in one go. */
export function* jsonPieces(value: Json, depth = 0): Generator<string> {
  if (Array.isArray(value) && (depth < DEPTH || value.length > BATCH)) {
    if (value.length > BATCH) {
      for (let from = 0; from < value.length; from += BATCH) {
        const text = JSON.stringify(value.slice(from, from + BATCH)).slice(1, -1);
        yield from === 0 ? `[${text}` : `,${text}`;
      }
      yield ']';
      return;
    }
    let lead = '[';
    for (const item of value) {
      yield lead;
      yield* jsonPieces(item, depth + 1);
      lead = ',';
    }
    yield lead === '[' ? '[]' : ']';
    return;
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value) && depth < DEPTH) {
    let lead = '{';
    for (const [key, item] of Object.entries(value)) {
      // Same as JSON.stringify: members without a value are left out.
      if (item === undefined) continue;
      yield `${lead}${JSON.stringify(key)}:`;
      yield* jsonPieces(item, depth + 1);
      lead = ',';
    }
    yield lead === '{' ? '{}' : '}';
    return;
  }
  yield JSON.stringify(value);
}

/**
 * Writes a config so that a reader sees the old or the new one, never a part: temp file, fsync, rename, fsync of the
 * folder. Mode 0600, it holds credentials.
 */
export async function writeConfigFile(path: string, config: JsonObject): Promise<void> {
  const temp = `${path}.${process.pid}.tmp`;
  try {
    const file = await open(temp, 'w', 0o600);
    try {
      const slices = createTimeSlices();
      let buffered = '';
      for (const piece of jsonPieces(config)) {
        buffered += piece;
        if (buffered.length >= FLUSH_CHARS) {
          await file.write(buffered);
          buffered = '';
        }
        if (slices.isOver()) await slices.next();
      }
      await file.write(`${buffered}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temp, path);
  } catch (error) {
    await rm(temp, { force: true });
    throw error;
  }
  await syncFolder(dirname(path));
}
