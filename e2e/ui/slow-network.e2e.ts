import { afterEach, expect, it } from 'vitest';
import { forAllTests } from '../../src-server/testing/for-each-test.ts';
import { addVlessInbound } from '../harness/vless-inbound.ts';
import { startJourney } from './journey.ts';

const journey = forAllTests(startJourney);
const PROGRAM = '**/assets/hosts-page-*.js';
afterEach(() => journey.page.unroute(PROGRAM));

const openHosts = () => journey.page.getByRole('link', { name: 'Hosts' }).click();
const title = (name: string) => journey.page.getByRole('heading', { level: 1, name });

it('typing on while a form is saved does nothing; the focus goes to what was refused, or back', async () => {
  const { page, panel } = journey;
  const adding = '**/panel/api/clients/add';
  const press = async (...names: string[]): Promise<void> => {
    for (const name of names) await page.keyboard.press(name);
  };
  const focused = () => page.evaluate(() => document.activeElement?.outerHTML);
  await page.goto(`${panel.url}panel/clients`);
  const refused = Promise.withResolvers<void>();
  await page.route(adding, async (route) => {
    await refused.promise;
    await route.continue();
  });
  await page.getByRole('button', { name: 'Add client' }).first().click();
  const editor = page.getByRole('dialog', { name: 'Add client' });
  await editor.getByLabel('E-mail or name').fill('someone');
  const group = editor.getByLabel('Group');
  await group.fill('g');
  await press('Enter');
  await expect.poll(() => group.isDisabled()).toBe(true);
  await press('g', 'h', 'Shift+?');
  refused.resolve();
  // There is none to choose yet.
  await editor.getByText('at least one inbound is required').waitFor();
  await expect.poll(focused).toContain('role="combobox"');

  await page.unroute(adding);
  const refusedAgain = Promise.withResolvers<void>();
  await page.route(adding, async (route) => {
    await refusedAgain.promise;
    await route.fulfill({ json: { success: false, msg: 'not today', obj: null } });
  });
  await group.press('End');
  await press('Enter');
  await expect.poll(() => group.isDisabled()).toBe(true);
  await press('x');
  refusedAgain.resolve();
  await editor.getByText('not today').waitFor();
  await expect.poll(focused).toContain('name="group"');
  expect(await group.inputValue()).toBe('g');
  await page.unroute(adding);
  await editor.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Discard' }).click();
  await editor.waitFor({ state: 'detached' });
});

it('a first page whose program takes long shows progress until it is there', async () => {
  const { page, panel } = journey;
  const held = Promise.withResolvers<void>();
  await page.route('**/assets/*.js', async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.goto(`${panel.url}panel/clients`, { waitUntil: 'commit' });
  const progress = page.getByRole('progressbar', { name: 'Switchyard' });
  const areaOf = async (): Promise<number> => {
    const { width, height } = (await progress.boundingBox()) ?? { width: 0, height: 0 };
    return width * height;
  };
  await expect.poll(areaOf).toBeGreaterThan(300);
  held.resolve();
  await title('Clients').waitFor();
  await progress.waitFor({ state: 'detached' });
  await page.unroute('**/assets/*.js');
});

it('a page whose program takes long is announced until it is there', async () => {
  const { page, panel } = journey;
  await page.goto(`${panel.url}panel/clients`);
  await title('Clients').waitFor();
  const held = Promise.withResolvers<void>();
  await page.route(PROGRAM, async (route) => {
    await held.promise;
    await route.continue();
  });
  const progress = page.getByRole('progressbar', { name: 'Loading' });
  await openHosts();
  await progress.waitFor();
  expect(await title('Clients').isVisible()).toBe(true);
  held.resolve();
  await title('Hosts').waitFor();
  await progress.waitFor({ state: 'detached' });
});

it('a page whose program does not come says so in the language of the interface, and can be loaded again', async () => {
  const { page, panel } = journey;
  await page.goto(`${panel.url}panel/clients`);
  await title('Clients').waitFor();
  await page.route(PROGRAM, (route) => route.abort());
  await openHosts();
  const alert = page.getByRole('alert').filter({ hasText: 'This could not be loaded' });
  await alert.waitFor();
  // What the browser says of it is no help.
  expect(await alert.textContent()).not.toMatch(/import|module|https?:/);
  await page.unroute(PROGRAM);
  await alert.getByRole('button', { name: 'Load again' }).click();
  await title('Hosts').waitFor();
});

it('parts of a page that do not arrive leave the page and what was typed in it', async () => {
  const { page, panel } = journey;
  await page.goto(`${panel.url}panel/clients`);
  await title('Clients').waitFor();
  await page.route('**/assets/event-list-*.js', (route) => route.abort());
  await page.getByRole('searchbox').fill('someone');
  await page.getByRole('button', { name: /^Notifications/ }).click();
  await page.getByText('This could not be loaded').waitFor();
  expect(await page.getByRole('searchbox').inputValue()).toBe('someone');
  await page.unroute('**/assets/event-list-*.js');
});

it('a dialog whose program takes long is announced, one whose program does not arrive says so', async () => {
  const { page, panel } = journey;
  const program = '**/assets/client-editor-*.js';
  await page.goto(`${panel.url}panel/clients`);
  const add = page.getByRole('button', { name: 'Add client' }).first();
  await add.waitFor();
  await page.getByRole('progressbar').waitFor({ state: 'detached' });
  const held = Promise.withResolvers<void>();
  await page.route(program, async (route) => {
    await held.promise;
    await route.abort();
  });
  await add.click();
  const progress = page.getByRole('progressbar', { name: 'Loading' });
  await progress.waitFor();
  held.resolve();
  const dialog = page.getByRole('dialog', { name: 'This could not be loaded' });
  await dialog.waitFor();
  await progress.waitFor({ state: 'detached' });
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await page.unroute(program);
});

it('a menu whose program does not arrive says so where it is seen, however long the list is', async () => {
  const { page, panel } = journey;
  const { id } = await addVlessInbound(panel.api);
  const clients = Array.from({ length: 60 }, (_, at) => ({ client: { email: `row-${at}` }, inboundIds: [id] }));
  await panel.api.post('/panel/api/clients/bulkCreate', clients);
  const program = '**/assets/client-row-menu-*.js';
  await page.route(program, (route) => route.abort());
  await page.goto(`${panel.url}panel/clients?size=100`);
  await page.getByRole('button', { name: 'Actions for row-1', exact: true }).click();
  const notice = page.getByRole('alert').filter({ hasText: 'This could not be loaded' });
  await notice.waitFor();
  expect(await notice.evaluate((element) => element.getBoundingClientRect().bottom <= innerHeight)).toBe(true);
  await page.unroute(program);
});

it('words that did not arrive once are asked for again, and a language without words is not chosen', async () => {
  const { page, panel } = journey;
  const words = '**/assets/later-*.js';
  await page.route(words, (route) => route.abort());
  await page.goto(`${panel.url}panel`);
  await title('Overview').waitFor();
  await openHosts();
  const main = page.getByRole('main').getByText('This could not be loaded');
  await main.waitFor();
  await page.getByRole('button', { name: 'Account, theme and language' }).click();
  await page.getByRole('menuitem', { name: 'فارسی' }).click();
  await page.locator('.mantine-Notification-root').getByText('This could not be loaded').waitFor();
  expect(await page.evaluate(() => document.documentElement.lang)).toBe('en');
  await page.unroute(words);
  await page.getByRole('link', { name: 'Groups' }).click();
  await title('Groups').waitFor();
});

it('the language that was chosen last is shown and kept, whichever words arrive last', async () => {
  const { page, panel } = journey;
  const words = '**/assets/fa-*.js';
  await page.goto(`${panel.url}panel`);
  await title('Overview').waitFor();
  const held = Promise.withResolvers<void>();
  await page.route(words, async (route) => {
    await held.promise;
    await route.continue();
  });
  const account = page.getByRole('button', { name: 'Account, theme and language' });
  for (const language of ['فارسی', 'English']) {
    await account.click();
    await page.getByRole('menuitem', { name: language }).click();
  }
  const arrived = page.waitForResponse(words);
  held.resolve();
  await (await arrived).finished();
  // Time for the words to be shown, if they were.
  await page.waitForTimeout(1_000);
  expect(await page.evaluate(() => document.documentElement.lang)).toBe('en');
  await page.reload();
  await title('Overview').waitFor();
  expect(await page.evaluate(() => document.documentElement.lang)).toBe('en');
  await page.unroute(words);
});
