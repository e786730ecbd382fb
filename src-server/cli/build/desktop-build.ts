import { existsSync } from 'node:fs';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const SOURCES = join(ROOT, 'src-main');
const BUILT = join(ROOT, 'dist', 'desktop');

/** For packages that are CommonJS. */
const REQUIRE = {
  js: "import { createRequire as makeRequire } from 'node:module';\nconst require = makeRequire(import.meta.url);",
};

export interface DesktopBuild {
  outDir: string;
  /** CommonJS, for an Electron whose main process does not support ES modules. */
  format: 'esm' | 'cjs';
  target: string;
  /** Replacement files, by the path below src-main of the file they replace. */
  standIns: Readonly<Record<string, string>>;
  /** Loaded before everything else. */
  inject: readonly string[];
}

/**
 * Bundles the desktop application: its main process, and the preload, which the sandbox requires as one CommonJS file.
 */
export async function buildDesktop(options: Partial<DesktopBuild> = {}): Promise<void> {
  // An installed product contains only the build.
  if (!existsSync(SOURCES)) return;
  const { outDir = BUILT, format = 'esm', target = 'node24', standIns = {}, inject = [] } = options;
  const esbuild = await import('esbuild');
  await removeChunks(outDir);
  const shared = { bundle: true, platform: 'node', outdir: outDir, logLevel: 'error' } as const;
  try {
    await Promise.all([
      esbuild.build({
        ...shared,
        entryPoints: [join(SOURCES, 'main.ts')],
        format,
        target,
        inject: [...inject],
        splitting: format === 'esm',
        chunkNames: '[name]-[hash]',
        external: ['electron'],
        outExtension: { '.js': format === 'esm' ? '.js' : '.cjs' },
        ...(format === 'esm' ? { banner: REQUIRE } : {}),
        plugins: [
          {
            name: 'stand-ins',
            setup(setup) {
              setup.onResolve({ filter: /^\./ }, ({ path, resolveDir }) => {
                const name = join(resolveDir, path)
                  .slice(SOURCES.length + 1)
                  .replaceAll('\\', '/');
                const standIn = standIns[name];
                return standIn === undefined ? null : { path: standIn };
              });
            },
          },
        ],
      }),
      // They always run under a current Node.
      esbuild.build({
        ...shared,
        entryPoints: ['panels-main', join('maintenance', 'maintenance-main')].map((name) =>
          join(SOURCES, 'panels', `${name}.ts`),
        ),
        entryNames: '[name]',
        format: 'esm',
        target: 'node24',
        // A native module: it looks for its binary beside itself.
        external: ['better-sqlite3'],
        banner: REQUIRE,
      }),
      esbuild.build({
        ...shared,
        entryPoints: [join(SOURCES, 'preload.ts')],
        format: 'cjs',
        target: 'chrome108',
        external: ['electron'],
        outExtension: { '.js': '.cjs' },
      }),
    ]);
  } finally {
    // Its helper would stay as long as the window does, with 180 MiB.
    await esbuild.stop();
  }
}

/** Parts of an earlier build have other names and would be packed along. */
async function removeChunks(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const stale = (await readdir(folder)).filter((name) => /-[0-9A-Z]{8}\.js$/.test(name));
  await Promise.all(stale.map((name) => rm(join(folder, name), { force: true })));
}
