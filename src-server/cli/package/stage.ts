import { existsSync } from 'node:fs';
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { provideCore } from '../build/provide-core.ts';
import { collectLicences } from './licences.ts';
import { publicKeyOf } from './checksums.ts';
import { ROOT, run } from './run.ts';

/** Architectures as Node and the packages of the registry name them. */
export type Architecture = 'x64' | 'arm64';

export interface StagedServer {
  /** Everything in one package, as it lies in /usr/lib/switchyard. */
  folder: string;
  /** `switchyard-<version>-linux-<architecture>`. */
  name: string;
  version: string;
}

/**
 * Lays out one package: Node, the bundled server, the interface, the database driver, licences, documentation, and the
 * core on request.
 */
export async function stageServer(options: { architecture: Architecture; hasCore: boolean }): Promise<StagedServer> {
  const { architecture } = options;
  const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as { version: string };
  const folder = await mkdtemp(join(tmpdir(), 'switchyard-package-'));
  const copy = (from: string, to = from): Promise<void> =>
    cp(join(ROOT, from), join(folder, to), { recursive: true, filter: (path) => !path.endsWith('.map') });
  await copy('dist/server');
  await copy('dist/renderer');
  await copy('resources/package/switchyard', 'bin/switchyard');
  await copy('resources/package/switchyard.service', 'share/switchyard.service');
  await copy('resources/package/request-update', 'bin/request-update');
  await copy('NOTICE');
  // Pages that name each other, and the files for a reverse proxy that one of them explains.
  const pages = (await readdir(join(ROOT, 'docs'))).filter((name) => name.endsWith('.md'));
  for (const page of pages) await copy(`docs/${page}`, `share/doc/${page}`);
  await copy('resources/package/proxies', 'share/doc/examples');
  for (const part of ['lib', 'package.json', 'LICENSE', `prebuilds/linux-${architecture}.node`])
    await copy(`node_modules/better-sqlite3/${part}`);
  await Promise.all([
    placeNode(architecture, join(folder, 'bin', 'node')),
    collectLicences(join(folder, 'share', 'licences')),
    writeFile(join(folder, 'VERSION'), `${version}\n`),
    mkdir(join(folder, 'resources'), { recursive: true }),
  ]);
  await placeRelease(join(folder, 'share'));
  if (options.hasCore) await placeCore(architecture, join(folder, 'resources', 'core'));
  // Builds create folders that belong to their user; the panel runs as another user.
  await run('chmod', ['-R', 'u=rwX,go=rX', '.'], { cwd: folder });
  return { folder, name: `switchyard-${version}-linux-${architecture}`, version };
}

/** Exactly the Node that the panel is tested with; the one for another architecture comes from the registry. */
async function placeNode(architecture: Architecture, target: string): Promise<void> {
  if (architecture === process.arch) {
    await cp(process.execPath, target);
  } else {
    const folder = await mkdtemp(join(tmpdir(), 'switchyard-node-'));
    const archive = `node-linux-${architecture}-${process.versions.node}.tgz`;
    await run('npm', ['pack', '--silent', `node-linux-${architecture}@${process.versions.node}`], { cwd: folder });
    await run('tar', ['-xzf', archive, 'package/bin/node'], { cwd: folder });
    await rename(join(folder, 'package', 'bin', 'node'), target).catch(() =>
      cp(join(folder, 'package', 'bin', 'node'), target),
    );
    await rm(folder, { recursive: true, force: true });
  }
  await chmod(target, 0o755);
}

/**
 * Where newer packages of this build come from, and the key that signs them: PANEL_DOWNLOADS, PANEL_RELEASES and
 * RELEASE_KEY of the build. Without both the panel cannot update itself, and says so.
 */
async function placeRelease(folder: string): Promise<void> {
  const lines = ['PANEL_DOWNLOADS', 'PANEL_RELEASES'].flatMap((name) => {
    const value = process.env[name] ?? '';
    return value === '' ? [] : [`${name}=${value}\n`];
  });
  const key = await publicKeyOf();
  if (key !== null) {
    await writeFile(join(folder, 'release.pub'), key);
    lines.push('PANEL_UPDATE_COMMAND=/usr/lib/switchyard/bin/request-update\n');
  }
  await writeFile(join(folder, 'release.env'), lines.join(''));
}

/** The core of another architecture has to be put in dist/core before. */
async function placeCore(architecture: Architecture, target: string): Promise<void> {
  const staged = join(ROOT, 'dist', 'core', `linux-${architecture}`);
  if (existsSync(staged)) return cp(staged, target, { recursive: true });
  if (architecture !== process.arch) throw new Error(`There is no core for ${architecture}: put it into ${staged}.`);
  const { path } = await provideCore();
  await mkdir(target, { recursive: true });
  await cp(path, join(target, 'xray'));
}
