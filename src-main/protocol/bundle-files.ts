import { readFile } from 'node:fs/promises';
import { extname, isAbsolute, join, relative, sep } from 'node:path';
import { BASE_PLACEHOLDER, CONTENT_TYPES, PAGE_POLICY } from '../../src-server/contract/interface-files.ts';
import { isPagePath } from '../guards/own-page.ts';
import type { PageResponse } from './exchange.ts';

const NOT_FOUND: PageResponse = {
  status: 404,
  headers: { 'content-type': 'text/plain; charset=utf-8' },
  body: Buffer.from('not found'),
};

/** Answers with the files of the built interface, and with its page at every page address. */
export function bundleFiles(folder: string): (path: string) => Promise<PageResponse> {
  return async (path) => {
    if (isPagePath(path)) {
      const page = await readFile(join(folder, 'index.html'), 'utf8');
      return {
        status: 200,
        headers: {
          'content-type': 'text/html; charset=utf-8',
          'content-security-policy': PAGE_POLICY,
          'x-content-type-options': 'nosniff',
          'cache-control': 'no-store',
        },
        body: Buffer.from(page.replaceAll(BASE_PLACEHOLDER, '/')),
      };
    }
    const file = containedFile(folder, path);
    const type = file === null ? undefined : CONTENT_TYPES[extname(file)];
    if (file === null || type === undefined) return NOT_FOUND;
    try {
      return {
        status: 200,
        headers: { 'content-type': type, 'x-content-type-options': 'nosniff', 'cache-control': 'no-cache' },
        body: await readFile(file),
      };
    } catch {
      return NOT_FOUND;
    }
  };
}

/** The file below `folder` for a URL path; null when it leads anywhere else. */
export function containedFile(folder: string, path: string): string | null {
  let decoded: string;
  try {
    decoded = decodeURIComponent(path);
  } catch {
    return null;
  }
  // Backslashes and drive letters have a meaning only on Windows; NUL is invalid everywhere.
  if (/[\\:\0]/.test(decoded)) return null;
  const file = join(folder, decoded);
  const inside = relative(folder, file);
  return inside === '' || inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside) ? null : file;
}
