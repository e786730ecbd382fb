import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Koa from 'koa';
import { afterEach, describe, expect, it } from 'vitest';
import { stateOf } from './request-state.ts';
import { webInterface } from './web-interface.ts';
import { listening, originOf } from '../testing/peers/local-server.ts';

const folder = mkdtempSync(join(tmpdir(), 'web-'));
let close = (): void => {};
afterEach(() => close());

async function serve(): Promise<string> {
  mkdirSync(join(folder, 'assets'), { recursive: true });
  writeFileSync(join(folder, 'index.html'), '<script src="/__base__/assets/a-1.js"></script>');
  writeFileSync(join(folder, 'assets', 'a-1.js'), 'export {}');
  const app = new Koa();
  app.use(async (koa, next) => {
    stateOf(koa).basePath = '/hidden/';
    await next();
  });
  app.use(webInterface(folder)!);
  const handle = app.callback();
  const server = createServer((request, response) => void handle(request, response));
  await listening(server);
  close = () => server.close();
  return originOf(server);
}

describe('web interface', () => {
  it('is absent where nothing was built', () => expect(webInterface(join(folder, 'none'))).toBeNull());

  it('serves its page with the base path and a strict policy at every page address', async () => {
    const origin = await serve();
    for (const path of ['/', '/panel/clients']) {
      const response = await fetch(origin + path);
      expect(await response.text()).toBe('<script src="/hidden/assets/a-1.js"></script>');
      expect(response.headers.get('content-security-policy')).toContain("script-src 'self';");
      expect(response.headers.get('cache-control')).toBe('no-store');
    }
  });

  it('lets named files be cached for ever and serves nothing else', async () => {
    const origin = await serve();
    const file = await fetch(`${origin}/assets/a-1.js`);
    expect(await file.text()).toBe('export {}');
    expect(file.headers.get('cache-control')).toContain('immutable');
    expect(file.headers.get('content-encoding')).toBe('gzip');
    for (const path of ['/assets/..%2f..%2fpasswd', '/assets/none.js', '/panel/api/x'])
      expect((await fetch(origin + path)).status).toBe(404);
    rmSync(folder, { recursive: true });
  });
});
