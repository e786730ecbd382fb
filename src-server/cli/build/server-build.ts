import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { NOTES_FILE, notesOfSources } from '../../openapi/field-notes.ts';
import { buildApart } from './build-apart.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const SOURCES = join(ROOT, 'src-server');
const BUILT = join(ROOT, 'dist', 'server');
const BUNDLE = join(BUILT, 'main.js');
const STAMP = join(BUILT, 'built-from.json');

/**
 * The panel server to run: its bundle in dist/server if that was built from exactly these sources, else the sources.
 * Both are the same program; a bundle avoids opening a thousand files, which is most of the time to the first response.
 */
export function serverEntry(): string {
  return isBuilt() ? BUNDLE : join(SOURCES, 'main.ts');
}

/**
 * Builds the bundle when it is due. Without one the panel runs from its sources, and only starts more slowly.
 * @returns what to run, as {@link serverEntry}
 */
export async function prepareServer(): Promise<string> {
  if (!isBuilt()) await buildApart(import.meta.url);
  return serverEntry();
}

async function buildOrSay(): Promise<void> {
  try {
    await build();
  } catch (error) {
    process.stderr.write(`The server could not be bundled and runs from its sources: ${String(error)}\n`);
  }
}

async function build(): Promise<void> {
  const signature = sourceSignature();
  const esbuild = await import('esbuild');
  await mkdir(dirname(BUILT), { recursive: true });
  const fresh = await mkdtemp(join(dirname(BUILT), 'server-'));
  await esbuild.build({
    entryPoints: [
      join(SOURCES, 'main.ts'),
      join(SOURCES, 'cli', 'admin', 'admin.ts'),
      join(SOURCES, 'cli', 'update', 'update.ts'),
      ...workers(),
    ],
    outdir: fresh,
    entryNames: '[name]',
    chunkNames: '[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    // A native module: it looks for its binary beside itself.
    external: ['better-sqlite3'],
    banner: {
      js: "import { createRequire as makeRequire } from 'node:module';\nconst require = makeRequire(import.meta.url);",
    },
    plugins: [{ name: 'worker-files', setup: (setup) => setup.onLoad({ filter: /src-server.*\.ts$/ }, loadSource) }],
    logLevel: 'error',
  });
  const notes = await notesOfSources(pathToFileURL(`${SOURCES}/`));
  await writeFile(join(fresh, NOTES_FILE), JSON.stringify(notes));
  await writeFile(join(fresh, basename(STAMP)), JSON.stringify(signature));
  await rm(BUILT, { recursive: true, force: true });
  try {
    await rename(fresh, BUILT);
  } catch {
    // Another build of the same sources finished first.
    await rm(fresh, { recursive: true, force: true });
  }
}

/** Threads are started from a file beside the one that names them; in the bundle that file ends in `.js`. */
async function loadSource({ path }: { path: string }) {
  const text = await readFile(path, 'utf8');
  return { contents: text.replaceAll(/(new URL\('\.\/[a-z-]+-worker)\.ts'/g, "$1.js'"), loader: 'ts' as const };
}

const workers = (): string[] => sourceFiles().filter((file) => file.endsWith('-worker.ts'));

function sourceFiles(): string[] {
  return readdirSync(SOURCES, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts') && !entry.name.endsWith('.test.ts'))
    .map((entry) => join(entry.parentPath, entry.name));
}

/** Changes with any edit, addition or removal of a source, and with the installed packages. */
function sourceSignature(): { files: number; newestMs: number } {
  const files = [...sourceFiles(), join(ROOT, 'package-lock.json')];
  return { files: files.length, newestMs: Math.max(...files.map((file) => statSync(file).mtimeMs)) };
}

function isBuilt(): boolean {
  // An installed product contains only the bundle.
  if (!existsSync(SOURCES)) return true;
  try {
    return readFileSync(STAMP, 'utf8') === JSON.stringify(sourceSignature());
  } catch {
    return false;
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildOrSay();
