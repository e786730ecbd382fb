import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { run } from './run.ts';

/**
 * Writes SHA256SUMS beside the packages and, where RELEASE_KEY names a key of minisign, its signature: the installer and the
 * update of a panel believe nothing else.
 */
export async function writeChecksums(folder: string, files: readonly string[]): Promise<void> {
  const lines: string[] = [];
  for (const file of files) {
    const hash = createHash('sha256');
    await pipeline(createReadStream(file), hash);
    lines.push(`${hash.digest('hex')}  ${basename(file)}\n`);
  }
  const sums = join(folder, 'SHA256SUMS');
  await writeFile(sums, lines.join(''));
  // That of other packages must not lie beside them.
  await rm(`${sums}.minisig`, { force: true });
  const key = process.env['RELEASE_KEY'] ?? '';
  if (key === '') process.stderr.write('Not signed: RELEASE_KEY names no key of minisign.\n');
  else await run('minisign', ['-S', '-s', key, '-m', sums], { cwd: folder });
}
