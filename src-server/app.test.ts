import { readdir, readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import type { App } from './app.ts';
import { FIELD_TEXTS } from './contract/fields/field-texts.ts';
import { templatedPath } from './openapi/operation.ts';
import { forAllTests } from './testing/for-each-test.ts';
import { openPanel } from './testing/panels/open-panel.ts';
import { ENGLISH } from './texts.ts';

interface ApiDocument {
  paths: Record<string, Record<string, unknown>>;
}

describe('the composed panel', () => {
  let app: App;

  const panel = forAllTests(() => openPanel({ isFresh: true, isWithoutCore: true }));
  beforeAll(async () => {
    ({ app } = panel);
  });

  /** The API document, read with the credentials of the first start. */
  async function apiDocument(): Promise<ApiDocument> {
    const { status, text } = await (await panel.signedIn()).get('panel/api/openapi.json');
    expect(status).toBe(200);
    return JSON.parse(text) as ApiDocument;
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

  test('every route without credentials answers 401 to scripts and 404 to everyone else, with an empty body', async () => {
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

  test('links name the port that was actually taken for "any free port"', async () => {
    const { json } = await (await panel.signedIn()).post('panel/api/setting/defaultSettings');
    expect(new URL((json!.obj as { subURI: string }).subURI).port).toBe(new URL(app.sub).port);
  });

  test("the only public routes are sign-in and the bot's secret path", () => {
    const open = app.mounted.endpoints.filter(({ access }) => access === 'public').map(({ path }) => path);
    expect(new Set(open)).toEqual(
      new Set(['/login', '/logout', '/csrf-token', '/getTwoFactorEnable', '/setup/:token', '/bot/:secret']),
    );
  });

  test('no core: the panel runs and says what to do', async () => {
    const { json } = await (await panel.signedIn()).get('panel/api/server/status');
    const { core } = json!.obj as { core: { state: string; errorMsg: string } };
    expect(core.state).toBe('error');
    expect(core.errorMsg).toContain('npm run core');
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
      if (ENGLISH[key!] === undefined && !Object.hasOwn(FIELD_TEXTS, key!)) missing.push(`${name}: ${key}`);
  }
  expect(missing).toEqual([]);
  expect(found).toBeGreaterThan(50);
});
