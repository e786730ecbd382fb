import { spawn } from 'node:child_process';
import { cp, mkdir, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packageServer } from '../package/package-server.ts';
import { buildDesktop } from './desktop-build.ts';
import { provideCore } from './provide-core.ts';
import { prepareServer } from './server-build.ts';
import { prepareWeb } from './web-build.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
/** Systems as the packager names them. */
const SYSTEMS: Partial<Record<NodeJS.Platform, string>> = { darwin: 'mac', win32: 'win', linux: 'linux' };

/**
 * `npm run dist`: builds everything, stages this system's core beside it, and packs. Arguments go to electron-builder:
 * `--dir` for an unpacked application, `--linux deb`, `-c.electronDist=DIR` for an Electron that is already here. A
 * core for another system is taken from dist/core/<system>-<architecture>, where it has to be put first. `--server`
 * makes only the packages of the panel instead.
 */
async function main(args: readonly string[]): Promise<number> {
  if (args.includes('--server')) return packageServer(args.filter((arg) => arg !== '--server'));
  await Promise.all([prepareServer(), prepareWeb(), buildDesktop()]);
  await stageCore();
  const packager = join(dirname(createRequire(import.meta.url).resolve('electron-builder/package.json')), 'cli.js');
  return new Promise((resolve) => {
    const config = args.includes('--config') ? [] : ['--config', 'electron-builder.yml'];
    const child = spawn(process.execPath, [packager, ...config, ...updateAddress(), '--publish=never', ...args], {
      cwd: ROOT,
      stdio: 'inherit',
    });
    child.once('close', (code) => resolve(code ?? 1));
  });
}

/** Where the built application looks for new versions: `UPDATE_URL`, with a folder for each system below it. */
function updateAddress(): string[] {
  const url = process.env['UPDATE_URL'];
  if (url === undefined || url === '') return [];
  const place = `${url.replace(/\/$/, '')}/\${os}`;
  return ['-c.publish.provider=generic', `-c.publish.url=${place}`, '-c.publish.channel=latest'];
}

/** The core has its own folder, so that packages of several systems can be built in turn. */
async function stageCore(): Promise<void> {
  const { path } = await provideCore();
  const target = join(ROOT, 'dist', 'core', `${SYSTEMS[process.platform] ?? process.platform}-${process.arch}`);
  await rm(target, { recursive: true, force: true });
  await mkdir(target, { recursive: true });
  await cp(path, join(target, basename(path)));
  // Its rule files, where they came along.
  for (const name of ['geoip.dat', 'geosite.dat', 'LICENSE'])
    await cp(join(dirname(path), name), join(target, name)).catch(() => undefined);
}

process.exitCode = await main(process.argv.slice(2));
