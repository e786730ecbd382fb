import { createServer } from 'node:http';
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mailServer } from '../../../src-server/testing/peers/mail-server.ts';
import { makeSelfSigned } from '../../../src-server/testing/peers/self-signed.ts';
import { createTestBrowser } from '../../../src-server/testing/peers/test-browser.ts';
import { expectAccessibleInBothThemes } from '../both-themes.ts';
import { startJourney, type Journey } from '../journey.ts';
import { listening, originOf, shut } from '../../../src-server/testing/peers/local-server.ts';

let journey: Journey;
let page: Page;
let mail: Awaited<ReturnType<typeof mailServer>>;
const bodies: string[] = [];
const target = createServer((request, response) => {
  let body = '';
  request.on('data', (part: Buffer) => (body += part.toString()));
  request.on('end', () => {
    bodies.push(body);
    response.end('got it');
  });
});

beforeAll(async () => {
  const { certPem: cert, keyPem: key } = makeSelfSigned();
  [journey, mail] = await Promise.all([
    startJourney(),
    mailServer({ key, cert, allowInsecureAuth: true }),
    listening(target),
  ]);
  ({ page } = journey);
});
afterAll(async () => {
  await journey?.close();
  await mail?.close();
  await shut(target);
});

const open = () => page.goto(`${journey.panel.url}panel/settings/notifications`);
const stored = () => journey.panel.api.post<Record<string, unknown>>('/panel/api/setting/all');
const field = (name: string) => page.getByLabel(name, { exact: true });

describe('notifications in a browser', () => {
  it('e-mail: the test shows where it stopped and the mail server’s answer, then that it was sent', async () => {
    await open();
    await field('Mail server').fill('127.0.0.1');
    await field('Mail server port').fill(String(mail.port));
    await page.getByRole('combobox', { name: 'Encryption' }).click();
    await page.getByRole('option', { name: 'None' }).click();
    await field('Mail user name').fill('me@example.com');
    await field('Mail password').fill('wrong');
    await field('Recipients').fill('a@example.com');
    await page.getByRole('switch', { name: /Mail server in a private network/ }).press('Space');
    expect(await page.getByRole('button', { name: 'Send a test message' }).isDisabled()).toBe(true);
    await page.keyboard.press('Control+s');
    await page.getByText('The settings are saved.').waitFor();
    await page.getByRole('button', { name: 'Send a test message' }).click();
    await page.getByText('535 Invalid login: 5.7.8 go <away>').waitFor();
    await page.getByRole('listitem').filter({ hasText: 'Sign in · It stopped here' }).waitFor();
    expect(mail.received).toEqual([]);
    await field('Mail password').fill('right');
    await page.keyboard.press('Control+s');
    await page.getByRole('button', { name: 'Send a test message' }).click();
    await page.getByText('The test message was sent.').waitFor();
    expect(mail.received).toMatchObject([{ to: ['a@example.com'] }]);
  });

  it('e-mail: another server needs the password again, which is said at its field', async () => {
    await field('Mail server').fill('elsewhere.example');
    await page.keyboard.press('Control+s');
    await page.locator('[id$="-error"]', { hasText: 'Mail password was entered for another server' }).waitFor();
    expect(await stored()).toMatchObject({ smtpHost: '127.0.0.1', hasSmtpPassword: true });
    await expectAccessibleInBothThemes(page);
    // As from another section.
    await page.getByRole('alert').getByRole('link', { name: 'Mail password' }).click();
    await page.locator('[id$="-error"]', { hasText: 'Mail password was entered for another server' }).waitFor();
    await field('Mail password').fill('for elsewhere');
    await page.keyboard.press('Control+s');
    // The page may only be left when nothing is unsaved.
    await page.getByRole('button', { name: 'Save', exact: true }).waitFor({ state: 'detached' });
    expect(await stored()).toMatchObject({ smtpHost: 'elsewhere.example', hasSmtpPassword: true });
    await open();
    await field('Mail server').fill('127.0.0.1');
    await page.getByRole('checkbox', { name: 'Erase what is stored' }).press('Space');
    await page.keyboard.press('Control+s');
    await page.getByRole('button', { name: 'Save', exact: true }).waitFor({ state: 'detached' });
    expect(await stored()).toMatchObject({ smtpHost: '127.0.0.1', hasSmtpPassword: false });
  });

  it('a webhook is added, tested, and its deliveries are sent again', async () => {
    await page.getByRole('button', { name: 'Add webhook' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Ops <b>');
    await dialog.getByLabel('Address').fill(`${originOf(target)}/in`);
    await dialog.getByLabel('Secret', { exact: true }).fill('shh');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Test webhook Ops <b>' }).click();
    await page.getByText('an address of an internal network').first().waitFor();
    await page.getByRole('button', { name: 'Edit webhook Ops <b>' }).click();
    await dialog.getByLabel('Its host may be in a private network').check();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Test webhook Ops <b>' }).click();
    await page.getByText('The target answered 200 got it.').waitFor();
    await page.getByRole('button', { name: 'Deliveries of webhook Ops <b>' }).click();
    await dialog.getByText('No answer').waitFor();
    await dialog
      .getByRole('button', { name: /^Send again: / })
      .first()
      .click();
    await expect.poll(() => bodies.length).toBe(2);
    expect(bodies[1]).toBe(bodies[0]);
    await page.keyboard.press('Escape');
  });

  it('the kinds of each subscriber are chosen with the keyboard, and kept', async () => {
    const box = (kind: string, subscriber: string) => page.getByRole('checkbox', { name: `${kind}: ${subscriber}` });
    await box('Core crashed', 'E-mail').focus();
    await page.keyboard.press('Space');
    await box('Core crashed', 'Ops <b>').focus();
    await page.keyboard.press('Space');
    await box('Sign-in', 'This panel').focus();
    await page.keyboard.press('Space');
    await box('Sign-in', 'E-mail').focus();
    await page.keyboard.press('Space');
    await expect.poll(stored).toMatchObject({
      smtpEnabledEvents: 'core.crash,cpu.high',
      panelEnabledEvents: expect.stringContaining('login.attempt'),
    });
    await page.reload();
    await box('Core crashed', 'Ops <b>').waitFor();
    expect(await box('Core crashed', 'Ops <b>').isChecked()).toBe(true);
    expect(await box('Sign-in', 'E-mail').isChecked()).toBe(false);
  });

  it('the bell counts new events, lists them and links there; nothing is wider than a phone', async () => {
    await createTestBrowser(journey.panel.url)
      .signIn('mallory <i>', 'wrong')
      .catch(() => {});
    await page.getByRole('button', { name: 'Notifications, 1 unread' }).click();
    const line = page.getByRole('link', { name: /A sign-in was refused/ });
    await line.waitFor();
    expect(await line.textContent()).toContain('User name: mallory <i>');
    await page.getByRole('button', { name: 'Notifications', exact: true }).waitFor();
    await line.click();
    await page.waitForURL('**/settings/security');
    await page.setViewportSize({ width: 360, height: 740 });
    await open();
    await page.getByRole('checkbox', { name: 'Core crashed: E-mail', exact: true }).uncheck();
    await expect.poll(stored).toMatchObject({ smtpEnabledEvents: 'cpu.high' });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
    expect(journey.faults).toEqual([]);
  });
});
