import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allowPrivateEgress } from '../harness/open-egress.ts';
import { disposePanel, startPanel, type PanelProcess } from '../harness/panel-process.ts';
import { startTargetServer, type TargetServer } from '../harness/target-server.ts';
import { fetchThrough, firstLinkOf, outboundOf } from '../harness/core/through-link.ts';
import { expectAccessibleInBothThemes } from './both-themes.ts';
import { expectAccessible, firstCredentials, openBrowser } from './browser.ts';
import { scanCode } from './scan-code.ts';

let panel: PanelProcess;
let browser: Browser;
let page: Page;
let site: TargetServer;

beforeAll(async () => {
  [panel, browser, site] = await Promise.all([startPanel(), openBrowser(), startTargetServer()]);
  await allowPrivateEgress(panel.api);
  page = await (await browser.newContext({ viewport: { width: 412, height: 900 } })).newPage();
});
afterAll(async () => {
  await browser?.close();
  await Promise.all([panel === undefined ? null : disposePanel(panel), site?.close()]);
});

describe('the first run, from its one-time link', () => {
  it('shows language and theme, then the credentials, once', async () => {
    const { username, password, setupUrl } = firstCredentials(panel);
    await page.goto(setupUrl);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Set up your panel' }).waitFor();
    await page.getByLabel('فارسی').check();
    await expect.poll(() => page.locator('html').getAttribute('dir')).toBe('rtl');
    await expectAccessibleInBothThemes(page);
    await page.getByLabel('English').check();
    const next = page.getByRole('button', { name: 'Next' });
    await next.focus();
    await page.keyboard.press('Enter');
    // The same button skips the next step: the keyboard is at the step itself.
    const step = page.getByRole('region', { name: 'Credentials' });
    await expect.poll(() => step.evaluate((section) => section === document.activeElement)).toBe(true);
    const shown = (label: string) => page.getByLabel(label, { exact: true }).inputValue();
    await expect.poll(() => shown('User name')).toBe(username);
    await expect.poll(() => shown('Password')).toBe(password);
    await page.getByRole('button', { name: 'Choose my own' }).click();
    await page.getByLabel('New user name').fill('owner');
    const choose = async (password: string): Promise<void> => {
      await page.getByRole('textbox', { name: 'New password', exact: false }).first().fill(password);
      await page.getByRole('textbox', { name: 'New password again' }).fill(password);
    };
    await choose('abc');
    await page.getByRole('button', { name: 'Use these' }).click();
    await page.getByText('This password is short and easily guessed.').waitFor();
    await page.getByRole('button', { name: 'Use it all the same' }).waitFor();
    await choose('own password 1');
    await page.getByRole('button', { name: 'Use these' }).click();
    await page.getByText('The core runs, version').waitFor();
    await page.getByRole('button', { name: 'Back' }).click();
    await page.getByText('The credentials are stored already.').waitFor();
  });

  it('resumes where it was left', async () => {
    await page.getByRole('button', { name: 'Inbound', exact: true }).click();
    await page.getByRole('link', { name: 'Finish later' }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.goto(`${panel.url}panel/first-run`);
    await page.getByText('An inbound is where clients come in.').waitFor();
    await expectAccessibleInBothThemes(page);
  });

  it('asks where devices reach the server, and marks what only the network reaches', async () => {
    await page.getByRole('button', { name: 'Address', exact: true }).click();
    const address = page.getByRole('combobox', { name: 'Public address or name' });
    await address.fill('localhost');
    await address.press('Escape');
    await page.getByRole('note').getByText('only reached from this device or its network').waitFor();
    await expectAccessibleInBothThemes(page);
    await address.fill('https://panel.example');
    await page.getByRole('button', { name: 'Use this' }).click();
    await page.getByText('Write a name or an IP address alone').waitFor();
    await address.fill('panel.example');
    await page.getByRole('button', { name: 'Use this' }).click();
    await page.getByText('An inbound is where clients come in.').waitFor();
  });

  it('ends with a working code for a client', async () => {
    // No site is suggested that was not scanned.
    expect(await page.getByLabel('Answers as this site').inputValue()).toBe('');
    await page.getByRole('button', { name: 'Find sites' }).waitFor();
    await page.getByLabel('VLESS over WebSocket').check();
    await expect.poll(() => page.getByLabel('Port').inputValue()).not.toBe('');
    await page.getByRole('button', { name: 'Add inbound' }).click();
    await page.getByLabel('E-mail or name').fill('phone');
    await page.getByRole('button', { name: 'Add client' }).click();
    const picture = page.getByRole('img', { name: /QR/ }).first();
    await picture.waitFor();
    expect(await page.getByRole('note').count()).toBe(0);
    await expectAccessibleInBothThemes(page);
    const subscription = await scanCode(picture);
    expect(new URL(subscription).hostname).toBe('panel.example');
    const link = firstLinkOf(await fetchAs(subscription));
    expect(new URL(link).hostname).toBe('panel.example');
    // No DNS server knows the name: the client is given the address.
    const outbound = outboundOf(link.replace('@panel.example:', '@127.0.0.1:'));
    expect(await fetchThrough(outbound, `${site.url}/bytes/20000`)).toBe(20_000);
    await page.getByRole('button', { name: 'Open the panel' }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
  });

  it('begins with the first step again, as for another panel at this address', async () => {
    await page.goto(`${panel.url}panel/first-run`);
    await page.getByLabel('فارسی').waitFor();
  });

  it('continues with a client of the form, with its code and a mark if only the network reaches it', async () => {
    await panel.api.post('/panel/api/setting/update', { subDomain: '' });
    await page.goto(`${panel.url}panel/clients?edit=`);
    await page.getByLabel('E-mail or name').fill('tablet');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Client tablet is saved.').waitFor();
    await page.goto(`${panel.url}panel/clients?client=tablet`);
    const subscription = await scanCode(page.getByRole('img', { name: /QR/ }).first());
    expect(new URL(subscription).port).toBe(new URL(panel.ready.sub).port);
    await page.getByRole('note').first().getByText('only reached from this device or its network').waitFor();
    await expectAccessible(page);
    const body = await (await fetch(subscription.replace('localhost', '127.0.0.1'))).text();
    expect(await fetchThrough(outboundOf(firstLinkOf(body)), `${site.url}/bytes/50000`)).toBe(50_000);
  });
});

/** The bytes for a device that resolves the name to this machine. */
async function fetchAs(url: string): Promise<string> {
  const { host, port, pathname } = new URL(url);
  const sent = request({ host: '127.0.0.1', port, path: pathname, headers: { host } }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return text(response);
}
