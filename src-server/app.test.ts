import { readdir, readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { App } from './app.ts';
import { templatedPath } from './openapi/operation.ts';
import { startComposedPanel } from './testing/composed-panel.ts';
import { ENGLISH } from './texts.ts';

interface ApiDocument {
  paths: Record<string, Record<string, unknown>>;
}

describe('the composed panel', () => {
  let panel: Awaited<ReturnType<typeof startComposedPanel>>;
  let app: App;

  beforeAll(async () => {
    panel = await startComposedPanel();
    ({ app } = panel);
  });
  afterAll(() => panel.close());

  /** The API document, read with the credentials of the first start. */
  async function apiDocument(): Promise<ApiDocument> {
    const { cookie } = await panel.signIn();
    const response = await fetch(new URL('panel/api/openapi.json', app.panel.url), { headers: { cookie } });
    expect(response.status).toBe(200);
    return (await response.json()) as ApiDocument;
  }

  test('routes, contracts and the API document are the same set', async () => {
    const { paths } = await apiDocument();
    const documented = Object.entries(paths)
      .flatMap(([path, operations]) => Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`))
      .sort();
    const mounted = app.mounted.endpoints.map(({ method, path }) => `${method} ${templatedPath(path)}`).sort();
    expect(documented).toEqual(mounted);
    expect(app.routesWithoutContract()).toEqual({ routesWithoutEndpoint: [], endpointsWithoutRoute: [] });
    expect(mounted.length).toBeGreaterThan(60);
  });

  test('every route without credentials answers 401 to scripts and 404 to everybody else, with nothing in it', async () => {
    const protectedOnes = app.mounted.endpoints.filter(({ access }) => access === 'admin');
    expect(protectedOnes.length).toBeGreaterThan(60);
    for (const { method, path } of protectedOnes) {
      const url = new URL(path.slice(1).replace(/:\w+/g, '1'), app.panel.url);
      const plain = await fetch(url, { method, redirect: 'manual' });
      const script = await fetch(url, { method, headers: { 'x-requested-with': 'XMLHttpRequest' } });
      const place = `${method} ${path}`;
      if (path.startsWith('/panel/api/')) expect([place, plain.status, await plain.text()]).toEqual([place, 404, '']);
      else expect([place, plain.status]).toEqual([place, 307]);
      expect([place, script.status]).toEqual([place, 401]);
    }
  });

  test('links name the port that "any free one" came to', async () => {
    const { cookie, csrfToken } = await panel.signIn();
    const headers = { cookie, 'x-csrf-token': csrfToken };
    const defaults = await fetch(new URL('panel/api/setting/defaultSettings', app.panel.url), {
      method: 'POST',
      headers,
    });
    const { obj } = (await defaults.json()) as { obj: { subURI: string } };
    expect(new URL(obj.subURI).port).toBe(new URL(app.sub).port);
  });

  test('public routes are exactly the ones of sign-in', () => {
    const open = app.mounted.endpoints.filter(({ access }) => access === 'public').map(({ path }) => path);
    expect(new Set(open)).toEqual(
      new Set(['/login', '/logout', '/csrf-token', '/getTwoFactorEnable', '/setup/:token']),
    );
  });

  test('no core: the panel runs and says what to do', async () => {
    const { cookie } = await panel.signIn();
    const response = await fetch(new URL('panel/api/server/status', app.panel.url), { headers: { cookie } });
    const { obj } = (await response.json()) as { obj: { core: { state: string; errorMsg: string } } };
    expect(obj.core.state).toBe('error');
    expect(obj.core.errorMsg).toContain('npm run core');
  });
});

test('every error code and message key in the sources has an English text', async () => {
  const folder = new URL('.', import.meta.url);
  const files = (await readdir(folder, { recursive: true })).filter(
    (name) => name.endsWith('.ts') && !/\.test\.ts$|^testing|generated/.test(name),
  );
  const missing: string[] = [];
  let found = 0;
  for (const name of files) {
    const source = await readFile(new URL(name, folder), 'utf8');
    for (const [, code] of source.matchAll(/new DomainError\(\s*'([^']+)'/g)) {
      found++;
      if (ENGLISH[code!] === undefined) missing.push(`${name}: ${code}`);
    }
    for (const [, key] of source.matchAll(/\bmessage: '([a-z]\w*\.\w+)'/gi))
      if (ENGLISH[key!] === undefined) missing.push(`${name}: ${key}`);
  }
  expect(missing).toEqual([]);
  expect(found).toBeGreaterThan(50);
});
