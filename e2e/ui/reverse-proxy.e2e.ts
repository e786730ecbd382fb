import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { IncomingHttpHeaders } from 'node:http';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright';
import { Agent, request } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeCertificate, type TestCertificate } from '../harness/certificate.ts';
import { freePort } from '../../src-server/testing/free-port.ts';
import { disposePanel, startPanel, type PanelProcess } from '../harness/panel-process.ts';
import { waitFor } from '../harness/wait-for.ts';
import { firstCredentials, openBrowser } from './browser.ts';

/** The configuration files of docs/deployment.md in real servers: only ports and certificates are changed. */
const FILES = join(import.meta.dirname, '../../resources/package/proxies');
const BASE_PATH = '/manage/';
/** The visitor's address: the proxy sees it, the panel sees the proxy's. */
const VISITOR = '127.0.0.9';

let panel: PanelProcess;
let browser: Browser;
let folder: string;
let certificate: TestCertificate;
let port: number;
let credentials: ReturnType<typeof firstCredentials>;
let subId: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'switchyard-proxy-'));
  port = await freePort();
  [panel, certificate] = await Promise.all([startPanel(), makeCertificate(folder)]);
  const { id } = await panel.api.post<{ id: number }>('/panel/api/inbounds/add', {
    listen: '127.0.0.1',
    port: await freePort(),
    protocol: 'vless',
    settings: { decryption: 'none' },
    streamSettings: { network: 'tcp', security: 'none' },
  });
  await panel.api.post('/panel/api/clients/add', { client: { email: 'alice' }, inboundIds: [id] });
  ({ subId } = (await panel.api.get<{ client: { subId: string } }>(`/panel/api/clients/get/alice`)).client);
  await panel.api.post('/panel/api/setting/update', {
    webBasePath: BASE_PATH,
    webDomain: 'panel.example.com',
    subEnable: true,
  });
  credentials = firstCredentials(panel);
  await panel.stop();
  panel = await startPanel({ dataDir: panel.dataDir, port: Number(new URL(panel.url).port) });
  browser = await openBrowser(['--host-resolver-rules=MAP *.example.com 127.0.0.1', '--ignore-certificate-errors']);
});
afterAll(async () => {
  await browser?.close();
  if (panel !== undefined) await disposePanel(panel);
  if (folder !== undefined) await rm(folder, { recursive: true, force: true });
});

async function startNginx(): Promise<ChildProcess> {
  const site = (await readFile(join(FILES, 'nginx.conf'), 'utf8'))
    .replaceAll('listen 443 ssl', `listen 127.0.0.1:${port} ssl`)
    // A non-default port is part of the host name.
    .replaceAll('$host;', '$host:$server_port;')
    .replaceAll(/\/etc\/ssl\/\S+\.pem/g, certificate.certFile)
    .replaceAll(/\/etc\/ssl\/\S+\.key/g, certificate.keyFile)
    .replaceAll('127.0.0.1:2053', new URL(panel.url).host)
    .replaceAll('127.0.0.1:10882', new URL(panel.ready.sub).host);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder};`);
  const main = `pid ${folder}/nginx.pid; daemon off; error_log stderr; events {} http { access_log off; ${temporary.join(' ')}\n${site}\n}`;
  await writeFile(join(folder, 'nginx.conf'), main);
  return spawn('nginx', ['-p', folder, '-c', join(folder, 'nginx.conf')], { stdio: ['ignore', 'ignore', 'inherit'] });
}

async function startCaddy(): Promise<ChildProcess> {
  const site = (await readFile(join(FILES, 'Caddyfile'), 'utf8'))
    .replaceAll(/^(\w+\.example\.com) \{/gm, `https://$1:${port} {\n\tbind 127.0.0.1\n\ttls internal`)
    .replaceAll('127.0.0.1:2053', new URL(panel.url).host)
    .replaceAll('127.0.0.1:10882', new URL(panel.ready.sub).host);
  const file = join(folder, 'Caddyfile');
  await writeFile(file, `{\n\tadmin off\n\tauto_https disable_redirects\n\tskip_install_trust\n}\n${site}`);
  return spawn('caddy', ['run', '--config', file, '--adapter', 'caddyfile'], {
    env: { ...process.env, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
    stdio: ['ignore', 'ignore', 'ignore'],
  });
}

/** One request from {@link VISITOR} to a name of the proxy. */
async function visit(host: string, path: string, options: { body?: object; headers?: Record<string, string> } = {}) {
  const name = `${host}.example.com`;
  const dispatcher = new Agent({ localAddress: VISITOR, connect: { servername: name, rejectUnauthorized: false } });
  try {
    const { statusCode, headers, body } = await request(`https://127.0.0.1:${port}${path}`, {
      dispatcher,
      method: options.body === undefined ? 'GET' : 'POST',
      headers: {
        host: `${name}:${port}`,
        'x-requested-with': 'XMLHttpRequest',
        ...(options.body === undefined ? {} : { 'content-type': 'application/json' }),
        ...options.headers,
      },
      ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
    });
    return { status: statusCode, headers, text: await body.text() };
  } finally {
    await dispatcher.close();
  }
}

const cookiesOf = ({ headers }: { headers: IncomingHttpHeaders }): string =>
  [headers['set-cookie'] ?? []]
    .flat()
    .map((line) => line.split(';')[0])
    .join('; ');

describe.each([
  ['nginx', startNginx],
  ['Caddy', startCaddy],
])('behind %s, as the documentation says', (name, start) => {
  let proxy: ChildProcess;
  beforeAll(async () => {
    proxy = await start();
    await waitFor(`${name} to listen`, () => {
      if (proxy.exitCode !== null) throw new Error(`${name} ended with ${proxy.exitCode}`);
      return new Promise<boolean>((resolve) => {
        const socket = connect({ port, host: '127.0.0.1' }, () => resolve(true)).once('error', () => resolve(false));
        socket.once('connect', () => socket.destroy());
      });
    });
  });
  afterAll(async () => {
    if (proxy.exitCode !== null) return;
    proxy.kill('SIGTERM');
    await once(proxy, 'exit');
  });

  it('the page allows signing in and receives its WebSocket', async () => {
    const context = await browser.newContext({ ignoreHTTPSErrors: true });
    const page = await context.newPage();
    const live = new Promise<string>((resolve) =>
      page.on('websocket', (socket) => socket.once('framereceived', () => resolve(socket.url()))),
    );
    await page.goto(`https://panel.example.com:${port}${BASE_PATH}`);
    await page.getByRole('textbox', { name: 'User name' }).fill(credentials.username);
    await page.getByRole('textbox', { name: 'Password' }).fill(credentials.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL(/\/manage\/panel/);
    expect(await live).toBe(`wss://panel.example.com:${port}${BASE_PATH}ws`);
    const cookie = (await context.cookies()).find(({ httpOnly }) => httpOnly);
    expect(cookie).toMatchObject({ secure: true, path: BASE_PATH });
    await context.close();
  });

  it('the panel knows a visitor’s real address, whatever headers the visitor sends', async () => {
    const before = await visit('panel', `${BASE_PATH}csrf-token`);
    const signedIn = await visit('panel', `${BASE_PATH}login`, {
      body: credentials,
      headers: {
        cookie: cookiesOf(before),
        'x-csrf-token': (JSON.parse(before.text) as { obj: string }).obj,
        'x-forwarded-for': '6.6.6.6',
        'x-real-ip': '7.7.7.7',
      },
    });
    const { text } = await visit('panel', `${BASE_PATH}panel/api/setting/sessions`, {
      headers: { cookie: cookiesOf(signedIn) },
    });
    const sessions = (JSON.parse(text) as { obj: { address: string }[] }).obj;
    expect(sessions.map(({ address }) => address)).toContain(VISITOR);
    expect(text).not.toMatch(/6\.6\.6\.6|7\.7\.7\.7/);
  });

  it('subscriptions have their own name, and nothing else answers there or beside the base path', async () => {
    const subscription = await visit('sub', `/sub/${subId}`);
    expect(subscription.status).toBe(200);
    expect(Buffer.from(subscription.text, 'base64').toString()).toMatch(/^vless:\/\//);
    for (const [host, path] of [
      ['sub', BASE_PATH],
      ['sub', '/'],
      ['panel', '/'],
      ['panel', `/sub/${subId}`],
    ] as const)
      expect([host, path, (await visit(host, path)).status]).toEqual([host, path, 404]);
  });
});
