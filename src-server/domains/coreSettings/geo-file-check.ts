import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Json } from '../../contract/json.ts';
import { geoFilesNamedBy } from '../../core/config/template/template-rules.ts';

/** A plain file name: nothing outside the folder is checked, so a response reveals nothing about other files. */
const FILE_NAME = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,127}$/;

/**
 * Geo files that a template needs but the core's folder does not hold; one missing file keeps the core from starting.
 */
export async function missingGeoFiles(template: Json, assetDir: string): Promise<string[]> {
  const missing: string[] = [];
  for (const name of geoFilesNamedBy(template)) {
    const isThere = FILE_NAME.test(name) && (await isFile(join(assetDir, name)));
    if (!isThere) missing.push(name);
  }
  return missing;
}

async function isFile(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}
