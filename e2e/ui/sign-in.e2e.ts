import { Secret, TOTP } from 'otpauth';
import type { Browser, BrowserContext, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { disposePanel, startPanel, type PanelProcess } from '../harness/panel-process.ts';
import { waitFor } from '../harness/wait-for.ts';
import { expectAccessibleInBothThemes } from './both-themes.ts';
import { firstCredentials, openBrowser, signIn } from './browser.ts';

const STEP_MS = 30_000;

let panel: PanelProcess;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let secret = '';
/** Longer than a busy machine needs from the code to its check. */
const MARGIN_MS = 20_000;
/** A code is valid once, within one step of its own: every use takes the next one, the first the oldest valid. */
let nextStep = 0;

async function code(): Promise<string> {
  nextStep = Math.max(nextStep, Math.floor((Date.now() + MARGIN_MS) / STEP_MS) - 1);
  const timestamp = nextStep * STEP_MS;
  nextStep += 1;
  await waitFor('the step before that of the code', () => Date.now() >= timestamp - STEP_MS);
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp });
}

beforeAll(async () => {
  [panel, browser] = await Promise.all([startPanel(), openBrowser()]);
  context = await browser.newContext();
  page = await context.newPage();
});
afterAll(async () => {
  await browser?.close();
  if (panel !== undefined) await disposePanel(panel);
});

describe('signing in', () => {
  it('is accessible and reports a wrong password', async () => {
    await page.goto(panel.url);
    await page.getByLabel('User name').fill('nobody');
    await page.getByRole('textbox', { name: 'Password' }).fill('wrong');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').getByText('Invalid username or password').waitFor();
    await expectAccessibleInBothThemes(page);
  });

  it('asks for a code once two-factor sign-in is set up in the settings; the page stays', async () => {
    await signIn(page, panel);
    await page.goto(`${panel.url}panel/settings/security`);
    await page.getByRole('button', { name: 'Set up' }).click();
    const dialog = page.getByRole('dialog', { name: 'Set up two-factor sign-in' });
    secret = await dialog.getByLabel('Key', { exact: true }).inputValue();
    await expectAccessibleInBothThemes(page);
    await dialog.getByLabel('Code that the app shows').fill('000000');
    await dialog.getByRole('textbox', { name: 'Present password' }).fill(firstCredentials(panel).password);
    await dialog.getByRole('button', { name: 'Turn on' }).click();
    await dialog.getByText('invalid two factor code').waitFor();
    expect(await dialog.getByRole('alert').evaluate(isSeen)).toBe(true);
    await dialog.getByLabel('Code that the app shows').fill(await code());
    await dialog.getByRole('button', { name: 'Turn on' }).click();
    await page.getByText('Two-factor sign-in is on.').waitFor();
    await page.getByRole('dialog', { name: 'Your session has ended' }).waitFor();
    expect(await page.locator('main [role=alert]').allTextContents()).toEqual([]);
    await signInAgain();
    await page.getByText('On: signing in asks for a code.').waitFor();
    expect(new URL(page.url()).pathname).toBe('/panel/settings/security');
  });

  it('again after the session ended comes over an open dialog, and keeps the page and what was typed', async () => {
    await page.goto(`${panel.url}panel/settings/subscription`);
    const title = page.getByRole('textbox', { name: 'Title', exact: true });
    await title.fill('typed before');
    await title.blur();
    await page.keyboard.press('Shift+?');
    const shortcuts = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await shortcuts.waitFor();
    await context.clearCookies();
    // Not clicked by the mouse: a background reading may have opened the prompt already.
    await page.getByRole('button', { name: 'Save', exact: true }).dispatchEvent('click');
    await signInAgain();
    await shortcuts.getByRole('button', { name: 'Close' }).click();
    expect(await title.inputValue()).toBe('typed before');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('The settings are saved.').waitFor();
    expect(await panel.api.post('/panel/api/setting/all')).toMatchObject({ subTitle: 'typed before' });
  });
});

/** Whether the middle of an element is in the window, with nothing over it. */
function isSeen(element: Element): boolean {
  const { left, top, width, height } = element.getBoundingClientRect();
  return element.contains(document.elementFromPoint(left + width / 2, top + height / 2));
}

/** The sign-in over the page: name and password, then the code. */
async function signInAgain(): Promise<void> {
  const { username, password } = firstCredentials(panel);
  const prompt = page.getByRole('dialog', { name: 'Your session has ended' });
  await prompt.getByLabel('User name').fill(username);
  await prompt.getByRole('textbox', { name: 'Password' }).fill(password);
  await prompt.getByRole('button', { name: 'Next' }).click();
  await prompt.getByLabel('Two-factor code').fill(await code());
  await prompt.getByRole('button', { name: 'Sign in' }).click();
  await prompt.waitFor({ state: 'detached' });
}
