import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildApart } from './build-apart.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const SOURCES = join(ROOT, 'src-renderer');
const BUILT = join(ROOT, 'dist', 'renderer');
const STAMP = join(BUILT, 'built-from.txt');

/** Builds the web interface when its sources, the contracts or the packages have changed since the last build. */
export async function prepareWeb(): Promise<void> {
  if (dueSignature() !== null) await buildApart(import.meta.url);
}

/** What to build from; null when nothing is due. */
function dueSignature(): string | null {
  const signature = sourceSignature();
  return signature === null || isBuiltFrom(signature) ? null : signature;
}

async function buildWhenDue(): Promise<void> {
  const signature = dueSignature();
  if (signature === null) return;
  try {
    await build(signature);
  } catch (error) {
    process.stderr.write(
      `The web interface could not be built; the panel serves what was built before: ${String(error)}\n`,
    );
  }
}

/** Built aside and swapped in as a whole: a panel that starts meanwhile finds either the old files or the new ones. */
async function build(signature: string): Promise<void> {
  const vite = await import('vite');
  await mkdir(dirname(BUILT), { recursive: true });
  const fresh = await mkdtemp(join(dirname(BUILT), 'renderer-'));
  const { NODE_ENV: before } = process.env;
  // The environment may have set another value, and then React is built for developers.
  process.env['NODE_ENV'] = 'production';
  try {
    await vite.build({
      configFile: join(SOURCES, 'vite.config.ts'),
      logLevel: 'error',
      build: { outDir: fresh, emptyOutDir: true },
    });
  } finally {
    if (before === undefined) delete process.env['NODE_ENV'];
    else process.env['NODE_ENV'] = before;
  }
  await writeFile(join(fresh, basename(STAMP)), signature);
  await rm(BUILT, { recursive: true, force: true });
  try {
    await rename(fresh, BUILT);
  } catch {
    // Another build of the same sources finished first.
    await rm(fresh, { recursive: true, force: true });
  }
}

/** Null in an installed product, which contains only the build. */
function sourceSignature(): string | null {
  if (!existsSync(SOURCES)) return null;
  const server = join(ROOT, 'src-server');
  const files = [
    ...list(SOURCES).filter((file) => !/\.test\.tsx?$/.test(file)),
    ...list(join(server, 'contract')),
    ...list(join(server, 'domains')).filter((file) => basename(file) === 'contract.ts'),
    join(ROOT, 'package-lock.json'),
  ];
  return JSON.stringify({ files: files.length, newestMs: Math.max(...files.map((file) => statSync(file).mtimeMs)) });
}

function list(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

function isBuiltFrom(signature: string): boolean {
  try {
    return readFileSync(STAMP, 'utf8') === signature;
  } catch {
    return false;
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildWhenDue();
