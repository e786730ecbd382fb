import { request } from 'node:http';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { testFolder } from './testing/for-each-test.ts';
import { createApp, type App } from './app.ts';
import { recordingLogger } from './testing/test-store.ts';

let dataDir: string;
let app: App;
beforeEach(async () => {
  dataDir = await testFolder();
  app = await createApp({
    dataDir,
    resourcesDir: dataDir,
    core: join(dataDir, 'no-such-core'),
    // As the window starts it: without a listen address.
    overrides: { webPort: 0, subPort: 0 },
    windowSocket: join(dataDir, 'w.sock'),
    log: recordingLogger(),
    clock: Date.now,
    onRestart: () => {},
    isHstsAllowed: true,
  });
  await app.coreBooted;
});
afterEach(async () => {
  await app.close();
});

function call(method: string, path: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const headers = { 'x-requested-with': 'XMLHttpRequest' };
    request({ socketPath: join(dataDir, 'w.sock'), method, path, headers }, (response) => {
      resolve(json(response).then((body) => (body as { obj: unknown }).obj));
    })
      .once('error', reject)
      .end();
  });
}

it('a panel first started by a window answers on this computer only, until the operator changes that', async () => {
  expect(new URL(app.panel.url).hostname).toBe('127.0.0.1');
  expect(app.panel.host).toBe('127.0.0.1');
  expect(await call('POST', '/panel/api/setting/all')).toMatchObject({
    webListen: '127.0.0.1',
    subListen: '127.0.0.1',
  });
  expect(await call('GET', '/panel/api/server/reachability')).toMatchObject({ addresses: [] });
});
