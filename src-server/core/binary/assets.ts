import { constants } from 'node:fs';
import { copyFile, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Puts the geo files that came with the product into the folder that the panel updates, where none of that name is yet:
 * the core looks in one folder only.
 */
export async function seedGeoFiles(resourcesDir: string, assetDir: string): Promise<void> {
  await mkdir(assetDir, { recursive: true });
  const shipped = await readdir(join(resourcesDir, 'core')).catch(() => []);
  for (const name of shipped.filter((file) => file.endsWith('.dat'))) {
    await copyFile(join(resourcesDir, 'core', name), join(assetDir, name), constants.COPYFILE_EXCL).catch(
      (error: unknown) => {
        if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
      },
    );
  }
}
