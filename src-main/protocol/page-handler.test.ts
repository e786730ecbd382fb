import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPageHandler } from './page-handler.ts';
import { bundleFiles, containedFile } from './bundle-files.ts';
import type { PageResponse, PageRequest } from './exchange.ts';

let root: string;
let folder: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'switchyard-bundle-'));
  folder = join(root, 'renderer');
  await mkdir(join(folder, 'assets'), { recursive: true });
  await mkdir(join(root, 'renderer-secrets'));
  await writeFile(join(root, 'secret.js'), 'secret');
  await writeFile(join(root, 'renderer-secrets', 'key.js'), 'secret');
  await writeFile(join(folder, 'index.html'), '<script src="/__base__/assets/a.js"></script>');
  await writeFile(join(folder, 'assets', 'a.js'), 'code');
  await writeFile(join(folder, 'built-from.txt'), 'stamp');
});
afterAll(() => rm(root, { recursive: true }));

function serve(response: Partial<PageResponse> | Error = {}) {
  const forwarded: PageRequest[] = [];
  const page = createPageHandler({
    files: bundleFiles(folder),
    async forward(request) {
      forwarded.push(request);
      if (response instanceof Error) throw response;
      return { status: 200, headers: {}, body: Buffer.from('{}'), ...response };
    },
    words: (error) => `Not there: ${(error as Error).message}`,
    notAPanel: (status) => `No panel: ${status}`,
  });
  return { forwarded, send: (path: string, method = 'GET') => page({ method, path, headers: {}, body: null }) };
}

describe('files of the interface', () => {
  it('the page at every page address, under a strict policy', async () => {
    for (const path of ['/', '/panel', '/panel/clients?page=2']) {
      const response = await serve().send(path);
      expect((response.body as Buffer).toString()).toBe('<script src="/assets/a.js"></script>');
      expect(response.headers['content-security-policy']).toContain(`default-src 'none'; script-src 'self'`);
    }
    expect(((await serve().send('/assets/a.js')).body as Buffer).toString()).toBe('code');
  });

  it.each([
    '/../secret.js',
    '/%2e%2e/secret.js',
    '/assets/../../secret.js',
    '/assets/%2e%2e%2f%2e%2e%2fsecret.js',
    '/..%2frenderer-secrets/key.js',
    '/..\\secret.js',
    '/%5c..%5csecret.js',
    '/C:/secret.js',
    '/assets/a.js%00.png',
    '/%zz',
    '/assets',
    '/',
  ])('no path traversal through %s', (path) => {
    const file = containedFile(folder, path);
    expect(file === null || file === join(folder, 'assets')).toBe(true);
  });

  it('names of other kinds do not exist', async () => {
    for (const path of ['/built-from.txt', '/assets/b.js', '/assets/', '/../secret.js'])
      expect((await serve().send(path)).status).toBe(404);
    expect((await serve().send('/panel', 'POST')).status).toBe(405);
  });
});

describe('calls of the panel', () => {
  it.each(['/panel/api/clients/list/paged?page=1', '/login', '/csrf-token', '/panel/csrf-token', '/logout'])(
    '%s is forwarded',
    async (path) => {
      const { forwarded, send } = serve();
      await send(path, 'POST');
      expect(forwarded.map((request) => request.path)).toEqual([path]);
    },
  );

  it('a panel’s cookies, policies and pages stay out of the window', async () => {
    const response = await serve({
      headers: {
        'content-type': 'text/html',
        'set-cookie': 'panel_session=1',
        'content-security-policy': '',
        'access-control-allow-origin': '*',
        'x-error-code': 'client.unknown',
        'x-journal-entry': '7',
      },
    }).send('/panel/api/x');
    expect(response.headers).toEqual({
      'content-type': 'text/plain; charset=utf-8',
      'x-error-code': 'client.unknown',
      // Undo is offered for it.
      'x-journal-entry': '7',
      'content-security-policy': `default-src 'none'; sandbox`,
      'x-content-type-options': 'nosniff',
    });
  });

  it('what a panel left behind at its old address is explained, a refusal of the panel stays', async () => {
    const bare = await serve({ status: 404, headers: {}, body: Buffer.from('') }).send('/panel/api/server/status');
    expect(bare.status).toBe(404);
    expect(JSON.parse((bare.body as Buffer).toString())).toMatchObject({ success: false, msg: 'No panel: 404' });
    const headers = { 'content-type': 'application/json; charset=utf-8' };
    const own = await serve({ status: 404, headers }).send('/panel/api/x');
    expect((own.body as Buffer).toString()).toBe('{}');
  });

  it('a redirect is not followed, an unreachable panel is reported', async () => {
    expect((await serve({ status: 307, headers: { location: 'https://evil.example' } }).send('/login')).status).toBe(
      502,
    );
    const response = await serve(new Error('ECONNREFUSED')).send('/login');
    expect(response.status).toBe(502);
    expect(JSON.parse((response.body as Buffer).toString())).toMatchObject({
      success: false,
      msg: 'Not there: ECONNREFUSED',
    });
  });
});
