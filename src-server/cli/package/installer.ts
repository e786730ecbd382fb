import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { publicKeyOf } from './checksums.ts';
import { ROOT } from './run.ts';

/**
 * The installer for bare hosts, beside the packages: it contains the key that signs them and their address
 * (PANEL_DOWNLOADS). A build without a key has no installer, because nothing would be checked.
 */
export async function placeInstaller(folder: string): Promise<void> {
  const key = (await publicKeyOf())?.split('\n')[1];
  if (key === undefined) return;
  const script = await readFile(join(ROOT, 'resources/package/install.sh'), 'utf8');
  const base = (process.env['PANEL_DOWNLOADS'] ?? '').replace(/\/+$/, '');
  if (!/^[\w.:/%~-]*$/.test(base)) throw new Error('PANEL_DOWNLOADS must be an address without a query.');
  const file = join(folder, 'install.sh');
  await writeFile(file, script.replace('@PUBLIC_KEY@', key).replace('@DOWNLOADS@', base));
  await chmod(file, 0o755);
}
