import { constants } from 'node:fs';
import { copyFile, mkdir, readdir, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Where the core itself looks for geo files when no folder is set. */
const SYSTEM_FOLDERS = ['/usr/local/share/xray', '/usr/share/xray', '/opt/share/xray'];
const LISTS = new Set(['geoip.dat', 'geosite.dat']);

/**
 * Copies geo files into the folder that the panel updates, unless one of that name exists, since the core looks in one
 * folder only: first those shipped with the product, else those beside the executable or of the system.
 */
export async function seedGeoFiles(resourcesDir: string, binary: string | null, assetDir: string): Promise<void> {
  await mkdir(assetDir, { recursive: true });
  const shipped = join(resourcesDir, 'core');
  await copyMissing(shipped, assetDir, (name) => name.endsWith('.dat'));
  const others = [
    ...(binary === null ? [] : [dirname(binary)]),
    ...(process.platform === 'win32' ? [] : SYSTEM_FOLDERS),
  ];
  for (const folder of others) if (folder !== assetDir) await copyMissing(folder, assetDir, (name) => LISTS.has(name));
}

async function copyMissing(from: string, to: string, isWanted: (name: string) => boolean): Promise<void> {
  const names = await readdir(from).catch(() => []);
  for (const name of names.filter(isWanted)) {
    const path = join(to, name);
    try {
      await copyFile(join(from, name), path, constants.COPYFILE_EXCL);
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'EEXIST') continue;
      throw error;
    }
    // The copy's date is not the date of the lists: the first update must not take them for new.
    await utimes(path, 0, 0);
  }
}
