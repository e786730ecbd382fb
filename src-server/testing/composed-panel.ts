import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApp, type App } from '../app.ts';
import { recordingLogger } from './test-store.ts';

/** The whole panel as it is composed for users, in a folder of its own and without a core. */
export async function startComposedPanel(clock: () => number = Date.now) {
  const dataDir = await mkdtemp(join(tmpdir(), 'switchyard-app-'));
  const log = recordingLogger();
  const app = await createApp({
    dataDir,
    resourcesDir: dataDir,
    core: join(dataDir, 'no-such-core'),
    overrides: { webListen: '127.0.0.1', webPort: 0, subListen: '127.0.0.1', subPort: 0 },
    log,
    clock,
    onRestart: () => {},
    isHstsAllowed: true,
  });
  await app.coreBooted;
  return {
    app,
    log,
    dataDir,
    signIn: () => signIn(app),
    async close() {
      await app.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Signs in with the credentials of the first start. */
async function signIn(app: App): Promise<{ cookie: string; csrfToken: string }> {
  const first = await fetch(new URL('csrf-token', app.panel.url));
  const { obj: visitorToken } = (await first.json()) as { obj: string };
  const login = await fetch(new URL('login', app.panel.url), {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-csrf-token': visitorToken, cookie: cookiesOf(first) },
    body: JSON.stringify({ username: app.firstAdmin?.username, password: app.firstAdmin?.password }),
  });
  const cookie = cookiesOf(login);
  const own = await fetch(new URL('panel/csrf-token', app.panel.url), { headers: { cookie } });
  const { obj: csrfToken } = (await own.json()) as { obj: string };
  return { cookie, csrfToken };
}

const cookiesOf = (response: Response): string =>
  response.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
