import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { forAllTests } from '../../src-server/testing/for-each-test.ts';
import { createApi, type Api } from '../harness/api.ts';
import { makeToken } from '../harness/panel-process.ts';
import { openDesktop, type Running } from './application/electron.ts';
import { followDownloads } from './application/downloads.ts';
import { fetchFromPanel, pickFile, useThisComputer } from './application/steps.ts';
import { addVlessInbound } from '../harness/vless-inbound.ts';

/** Looks like a subscription link; it is not fetched here. */
const FOREIGN = 'https://subscriptions.example.org/feed?token=a%20b#top';

/** Links passed to the system instead of the window. */
interface Handed {
  questions: string[];
  opened: string[];
  response: number;
}

let running: Running;
let api: Api;
const desktop = forAllTests(openDesktop);
beforeAll(async () => {
  running = await desktop.launch();
  const { app, page, dataDir } = running;
  await app.evaluate(({ dialog, shell }) => {
    const handed: Handed = { questions: [], opened: [], response: 0 };
    Object.assign(globalThis, { handed });
    dialog.showMessageBox = async (...args: unknown[]) => {
      handed.questions.push((args.at(-1) as { message: string }).message);
      return { response: handed.response, checkboxChecked: false };
    };
    shell.openExternal = async (url) => void handed.opened.push(url);
  });
  await useThisComputer(page);
  const [local] = await page.evaluate(() => globalThis.desktop.connections.list());
  api = createApi(local?.address ?? '', makeToken(dataDir));
  const { id } = await addVlessInbound(api, { remark: 'Home' });
  await api.post('/panel/api/clients/add', { client: { email: 'phone' }, inboundIds: [id] });
});

const handed = (): Promise<Handed> => running.app.evaluate(() => (globalThis as unknown as { handed: Handed }).handed);
const respondWith = (response: number): Promise<void> =>
  running.app.evaluate((_, value) => {
    Object.assign((globalThis as unknown as { handed: Handed }).handed, { questions: [], opened: [], response: value });
  }, response);

it('a client’s link is copied unchanged', async () => {
  const { page, app } = running;
  const [link] = await api.get<string[]>('/panel/api/clients/links/phone');
  await app.evaluate(({ clipboard }) => clipboard.writeText('before'));
  await page.goto('app://panel/panel/clients?client=phone');
  const drawer = page.getByRole('dialog');
  await drawer.getByRole('button', { name: /Home/ }).click();
  await drawer.getByRole('button', { name: 'Copy Link', exact: true }).click();
  await expect.poll(() => app.evaluate(({ clipboard }) => clipboard.readText())).toBe(link);
  expect(link).toMatch(/^vless:/);
});

it('an external address goes to the system’s browser after its host was shown, and nothing else does', async () => {
  const { page, app } = running;
  await api.post('/panel/api/clients/phone/externalLinks', {
    externalLinks: [{ kind: 'subscription', value: FOREIGN, remark: 'Elsewhere' }],
  });
  await page.goto('app://panel/panel/clients?client=phone');
  const anchor = page.getByRole('dialog').getByRole('link', { name: FOREIGN });
  await respondWith(1);
  await anchor.click();
  await expect
    .poll(handed)
    .toMatchObject({ questions: ['Open subscriptions.example.org in the browser?'], opened: [] });
  await respondWith(0);
  await anchor.click();
  await expect.poll(handed).toMatchObject({ opened: [FOREIGN] });

  await respondWith(0);
  const before = page.url();
  await page.evaluate((hostile) => {
    for (const href of hostile)
      for (const target of ['_blank', '_self']) {
        const link = Object.assign(document.createElement('a'), { href, target });
        document.body.append(link);
        link.click();
        link.remove();
      }
  }, HOSTILE);
  // Clicks are handled in order: when this one asks, those before it have been handled.
  await anchor.dispatchEvent('click');
  await expect.poll(async () => (await handed()).opened.length).toBeGreaterThan(0);
  expect(await handed()).toMatchObject({
    questions: ['Open subscriptions.example.org in the browser?'],
    opened: [FOREIGN],
  });
  expect(page.url()).toBe(before);
  expect(app.windows()).toHaveLength(1);
});

const HOSTILE = [
  'https://github.com@evil.example/',
  'http://subscriptions.example.org/feed',
  'file:///etc/passwd',
  'smb://evil.example/share',
  'ms-msdt:/id%20PCWDiagnostic',
  'switchyard://open/clients',
  'mailto:owner@example.org',
  'app://panel.evil.example/',
  'data:text/html,<h1>mine</h1>',
];

it('an exported database is picked from its folder and imported again, and the window needs no sign-in', async () => {
  const { page, app, dataDir } = running;
  const nextDownload = await followDownloads(app, dataDir);
  await page.goto('app://panel/panel/settings/backup');
  await page.getByRole('link', { name: 'Database file' }).click();
  const copy = join(dataDir, 'taken.db');
  await (await nextDownload()).saveAs(copy);
  await api.post('/panel/api/clients/del/phone');

  await pickFile(page, () => page.getByRole('button', { name: 'File', exact: true }).click(), copy);
  await page.getByRole('button', { name: 'Look into it' }).click();
  const dialog = page.getByRole('dialog', { name: 'What this brings' });
  await dialog.getByText('A database of this panel.').waitFor();
  await dialog.getByLabel('Type taken.db to confirm').fill('taken.db');
  await dialog.getByRole('button', { name: 'Replace everything' }).click();
  await page.getByText('The panel is back.').waitFor();
  expect(await fetchFromPanel(page, '/panel/api/clients/get/phone')).toMatchObject({ client: { email: 'phone' } });
  await page.goto('app://panel/panel/clients');
  await page.getByText('phone', { exact: true }).first().waitFor();
});
