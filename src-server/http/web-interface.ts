import { readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Context, Middleware } from 'koa';
import { isApiPath } from './guards/access.ts';
import { stateOf } from './request-state.ts';

const compress = promisify(gzip);
/** Marks the place of the base path in index.html. */
const BASE_PLACEHOLDER = '/__base__/';
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
  '.png': 'image/png',
};
const COMPRESSED = new Set(['.js', '.css', '.svg', '.json', '.html']);
const PAGE_POLICY = [
  `default-src 'none'`,
  `script-src 'self'`,
  `style-src 'self' 'unsafe-inline'`,
  `img-src 'self' data: blob:`,
  `font-src 'self'`,
  `connect-src 'self'`,
  `worker-src 'self' blob:`,
  `form-action 'none'`,
  `base-uri 'none'`,
  `frame-ancestors 'none'`,
].join('; ');

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
  const files = readFolder(folder);
  const index = files.get('/index.html')?.plain.toString('utf8');
  if (index === undefined) return null;
  files.delete('/index.html');
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
    const type = TYPES[extname(path)];
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
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
  } catch {
    return [];
  }
}
