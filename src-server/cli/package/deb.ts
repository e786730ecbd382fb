import { chmod, cp, mkdir, mkdtemp, readdir, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { debianVersion } from '../update/system.ts';
import { ROOT, run } from './run.ts';
import type { Architecture, StagedServer } from './stage.ts';

const DEBIAN_NAMES: Record<Architecture, string> = { x64: 'amd64', arm64: 'arm64' };

interface DebOptions extends StagedServer {
  architecture: Architecture;
  /** Number of this package among those of one version. */
  revision: string;
  /** Folder the package is written to. */
  target: string;
}

/** A Debian package of the staged files: the panel as a hardened service of its own user. @returns the file */
export async function packDeb(options: DebOptions): Promise<string> {
  const architecture = DEBIAN_NAMES[options.architecture];
  const version = `${debianVersion(options.version)}-${options.revision}`;
  const tree = await mkdtemp(join(tmpdir(), 'switchyard-deb-'));
  await chmod(tree, 0o755);
  const at = (path: string): string => join(tree, path);
  for (const folder of ['DEBIAN', 'usr/lib', 'usr/bin', 'usr/share/doc', 'lib/systemd/system'])
    await mkdir(at(folder), { recursive: true });
  await cp(options.folder, at('usr/lib/switchyard'), { recursive: true });
  await symlink('../lib/switchyard/bin/switchyard', at('usr/bin/switchyard'));
  for (const unit of ['switchyard.service', 'switchyard-update.path', 'switchyard-update.service'])
    await cp(join(ROOT, 'resources/package', unit), at(`lib/systemd/system/${unit}`));
  await rename(at('usr/lib/switchyard/share/doc'), at('usr/share/doc/switchyard'));
  await symlink('deployment.md', at('usr/share/doc/switchyard/README.md'));
  await cp(join(ROOT, 'NOTICE'), at('usr/share/doc/switchyard/copyright'));
  for (const script of ['postinst', 'prerm', 'postrm'])
    await cp(join(ROOT, 'resources/package/deb', script), at(`DEBIAN/${script}`));
  const installedKiB = Math.ceil((await folderBytes(at('usr'))) / 1024);
  await writeFile(
    at('DEBIAN/control'),
    [
      'Package: switchyard',
      `Version: ${version}`,
      `Architecture: ${architecture}`,
      'Maintainer: Switchyard',
      'Section: net',
      'Priority: optional',
      `Installed-Size: ${installedKiB}`,
      'Depends: adduser, ca-certificates, init-system-helpers, libc6 (>= 2.28), libstdc++6, util-linux',
      'Recommends: iproute2, systemd',
      'Description: proxy administration panel',
      ' The panel server with its web interface and subscription server, run as a',
      ' service of its own user. Data lies in /var/lib/switchyard.',
      '',
    ].join('\n'),
  );
  const file = join(options.target, `switchyard_${version}_${architecture}.deb`);
  await run('dpkg-deb', ['--root-owner-group', '-Zzstd', '-z12', '--build', tree, file], { cwd: ROOT });
  await rm(tree, { recursive: true, force: true });
  return file;
}

async function folderBytes(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const sizes = await Promise.all(files.map(({ parentPath, name }) => stat(join(parentPath, name))));
  return sizes.reduce((sum, { size }) => sum + size, 0);
}
