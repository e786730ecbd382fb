import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Context, Middleware } from 'koa';
import { isApiPath } from './guards/access.ts';
import { BASE_PLACEHOLDER, CONTENT_TYPES, PAGE_POLICY } from '../contract/interface-files.ts';
import { stateOf } from './request-state.ts';

const compress = promisify(gzip);
const COMPRESSED = new Set(['.js', '.css', '.svg', '.json']);

interface StaticFile {
  type: string;
  plain: Buffer;
  /** Null where compression gains nothing; made at the first request. */
  gzipped: (() => Promise<Buffer>) | null;
}

/**
 * Serves the built web interface: its files by exact name, and its page at the base path and everywhere below
 * `/panel/`. Only names read from `folder` at start are served, so no path can lead out of it.
 * @returns null when `folder` contains no build.
 */
export function webInterface(folder: string): Middleware | null {
  const page = join(folder, 'index.html');
  if (!existsSync(page)) return null;
  const index = readFileSync(page, 'utf8');
  const files = readFolder(folder);
  return async (koa, next) => {
    if ((koa.method !== 'GET' && koa.method !== 'HEAD') || isApiPath(koa.path)) return next();
    const file = files.get(koa.path);
    if (file !== undefined) return sendFile(koa, file);
    if (koa.path !== '/' && koa.path !== '/panel' && !koa.path.startsWith('/panel/')) return next();
    koa.set({ 'Content-Security-Policy': PAGE_POLICY, 'Cache-Control': 'no-store' });
    koa.type = 'html';
    koa.body = index.replaceAll(BASE_PLACEHOLDER, stateOf(koa).basePath);
    return undefined;
  };
}

/** Names of built files change with their content, so they may be cached for ever. */
async function sendFile(koa: Context, file: StaticFile): Promise<void> {
  koa.set('Cache-Control', 'public, max-age=31536000, immutable');
  koa.type = file.type;
  if (file.gzipped !== null) koa.vary('Accept-Encoding');
  if (file.gzipped !== null && koa.acceptsEncodings('gzip') === 'gzip') {
    koa.set('Content-Encoding', 'gzip');
    koa.body = await file.gzipped();
  } else koa.body = file.plain;
}

function readFolder(folder: string): Map<string, StaticFile> {
  const files = new Map<string, StaticFile>();
  for (const path of listFiles(folder)) {
    const type = CONTENT_TYPES[extname(path)];
    if (type === undefined) continue;
    const plain = readFileSync(path);
    let made: Promise<Buffer> | null = null;
    files.set(`/${relative(folder, path).split(sep).join('/')}`, {
      type,
      plain,
      gzipped: COMPRESSED.has(extname(path)) ? () => (made ??= compress(plain)) : null,
    });
  }
  return files;
}

function listFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
