import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { run } from './run.ts';

const IS_PACKAGE = /^(switchyard[-_].*\.(deb|tar\.gz)|install\.sh)$/;

/** The public half of RELEASE_KEY, as minisign writes it; null = RELEASE_KEY is not set. */
export async function publicKeyOf(): Promise<string | null> {
  const key = process.env['RELEASE_KEY'] ?? '';
  if (key === '') return null;
  const folder = await mkdtemp(join(tmpdir(), 'switchyard-key-'));
  try {
    await run('minisign', ['-R', '-f', '-s', key, '-p', join(folder, 'release.pub')], { cwd: folder });
    return await readFile(join(folder, 'release.pub'), 'utf8');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Writes SHA256SUMS of every package in the folder, including earlier ones: an update needs them as its way back. Where
 * RELEASE_KEY names a minisign key, it is signed as well: the installer and the panel's update trust nothing else.
 */
export async function writeChecksums(folder: string): Promise<void> {
  const lines: string[] = [];
  for (const name of (await readdir(folder)).toSorted()) {
    if (!IS_PACKAGE.test(name)) continue;
    const file = join(folder, name);
    const hash = createHash('sha256');
    await pipeline(createReadStream(file), hash);
    lines.push(`${hash.digest('hex')}  ${name}\n`);
  }
  const sums = join(folder, 'SHA256SUMS');
  await writeFile(sums, lines.join(''));
  // Those of other packages must not lie beside them.
  await rm(`${sums}.minisig`, { force: true });
  const key = process.env['RELEASE_KEY'] ?? '';
  if (key === '') process.stderr.write('Not signed: RELEASE_KEY names no key of minisign.\n');
  else await run('minisign', ['-S', '-s', key, '-m', sums], { cwd: folder });
}
