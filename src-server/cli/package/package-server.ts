import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { prepareServer } from '../build/server-build.ts';
import { prepareWeb } from '../build/web-build.ts';
import { packDeb } from './deb.ts';
import { ROOT, run } from './run.ts';
import { stageServer, type Architecture } from './stage.ts';
import { writeChecksums } from './checksums.ts';
import { placeInstaller } from './installer.ts';

const PACKAGES = join(ROOT, 'dist', 'packages');
const ARCHITECTURES: readonly Architecture[] = ['x64', 'arm64'];

/**
 * `npm run dist -- --server`: packages of the panel without a window, for Linux: a tarball that runs where it is
 * unpacked, and a Debian package made of the same files. Nothing is built or fetched on the server, except the core
 * where it is not inside.
 */
export async function packageServer(argv: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      arch: { type: 'string' },
      'with-core': { type: 'boolean', default: false },
      revision: { type: 'string', default: '1' },
    },
  });
  const wanted = values.arch === undefined ? ARCHITECTURES : ARCHITECTURES.filter((name) => name === values.arch);
  if (wanted.length === 0 || !/^\d+$/.test(values.revision)) {
    process.stderr.write('Usage: npm run dist -- --server [--arch x64|arm64] [--with-core] [--revision N]\n');
    return 64;
  }
  await Promise.all([prepareServer(), prepareWeb(), mkdir(PACKAGES, { recursive: true })]);
  const files: string[] = [];
  for (const architecture of wanted) {
    const staged = await stageServer({ architecture, hasCore: values['with-core'] });
    files.push(await packTarball(staged.folder, staged.name));
    files.push(await packDeb({ ...staged, architecture, revision: values.revision, target: PACKAGES }));
    await rm(staged.folder, { recursive: true, force: true });
  }
  await placeInstaller(PACKAGES);
  await writeChecksums(PACKAGES);
  for (const file of files) process.stdout.write(`${file}\n`);
  return 0;
}

/** The same files give the same bytes: sorted, owned by root, with one timestamp. */
async function packTarball(folder: string, name: string): Promise<string> {
  const file = join(PACKAGES, `${name}.tar.gz`);
  const sameBytes = ['--sort=name', '--owner=0', '--group=0', '--numeric-owner', '--mtime=@0'];
  await run('tar', [...sameBytes, '--use-compress-program=gzip -9n', '-cf', file, `--transform=s,^\\.,${name},`, '.'], {
    cwd: folder,
  });
  return file;
}
