import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from './run.ts';

const LICENCE = /^(licen[cs]e|copying|notice)(\.|$|-)/i;

interface LockedPackage {
  version?: string;
  dev?: boolean;
}

/**
 * The licences of all packages whose code is in the bundles, one file each. What the interface is bundled from counts
 * as development in package.json, so every installed package is included except tools that only build and test.
 */
export async function collectLicences(target: string): Promise<void> {
  await mkdir(target, { recursive: true });
  const lock = JSON.parse(await readFile(join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, LockedPackage>;
  };
  for (const [path, { version = '' }] of Object.entries(lock.packages)) {
    if (path === '') continue;
    const names = await readdir(join(ROOT, path)).catch(() => []);
    const texts = await Promise.all(
      names.filter((name) => LICENCE.test(name)).map((name) => readFile(join(ROOT, path, name), 'utf8')),
    );
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
    if (texts.length > 0)
      await writeFile(join(target, `${name.replace('/', '__')}-${version}.txt`), texts.join('\n\n'));
  }
}
