import type { Json, JsonObject } from '../source.ts';
import { isJsonObject } from '../json-access.ts';
import { confinedPath } from '../template/log-paths.ts';

/** The log folder, seen from the data folder, in which the core runs. */
const LOG_FOLDER = 'logs';

/**
 * A copy whose `masterKeyLog`, at any depth, keeps only its base name in the log folder: the core appends to any file that
 * is named there. `none` and an empty text mean no file.
 */
export function withConfinedKeyLogs(object: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(object).map(([key, value]) => [key, isKeyLog(key) ? confinedFile(value) : confinedValue(value)]),
  );
}

function confinedValue(value: Json): Json {
  if (Array.isArray(value)) return value.map(confinedValue);
  return isJsonObject(value) ? withConfinedKeyLogs(value) : value;
}

const confinedFile = (value: Json): Json =>
  typeof value === 'string' && value !== '' && value !== 'none' ? confinedPath(value, LOG_FOLDER) : value;

/** The core compares names case-insensitively, and treats a long s as s and the Kelvin sign as k. */
const isKeyLog = (key: string): boolean => key.toUpperCase().toLowerCase() === 'masterkeylog';
