import type { Locator } from 'playwright';
import { beforeAll, describe, expect, it } from 'vitest';
import { forAllTests } from '../../src-server/testing/for-each-test.ts';
import { startJourney } from './journey.ts';

const emailOf = (index: number): string => `person-${String(index).padStart(2, '0')}`;

const journey = forAllTests(startJourney);
beforeAll(async () => {
  const items = Array.from({ length: 40 }, (_, index) => ({ client: { email: emailOf(index) }, inboundIds: [] }));
  await journey.panel.api.post('/panel/api/clients/import', { data: JSON.stringify(items) });
});

const press = (...keys: string[]) =>
  keys.reduce<Promise<void>>(async (before, key) => {
    await before;
    await journey.page.keyboard.press(key);
  }, Promise.resolve());
const rowOf = (email: string) => journey.page.getByRole('row', { name: new RegExp(email) });

/** Fails when the focus is invisible: neither outline nor ring nor coloured border around the focused element. */
async function expectFocusSeen(): Promise<void> {
  // Borders change their colour with a short transition.
  await expect.poll(() => journey.page.evaluate(unseenFocus)).toBeNull();
}

/** The focused element as markup, unless its focus is visible. */
function unseenFocus(): string | null {
  const active = document.activeElement ?? document.body;
  const probe = document.body.appendChild(document.createElement('i'));
  probe.style.color = 'var(--mantine-primary-color-filled)';
  const primary = getComputedStyle(probe).color;
  probe.remove();
  const isMarked = (element: Element | null): boolean => {
    if (element === null) return false;
    const { outlineStyle, outlineWidth, boxShadow, borderTopColor } = getComputedStyle(element);
    const hasOutline = outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 1;
    return hasOutline || boxShadow !== 'none' || borderTopColor === primary;
  };
  // The kit marks a switch on its track and a field of several values on its frame.
  const places = [active, active.nextElementSibling, active.closest('.mantine-Input-input')];
  // A row's ring is drawn by all of its cells: a partial ring does not count.
  const isRingedRow = active instanceof HTMLTableRowElement && [...active.cells].every(isMarked);
  const isSeen = active !== document.body && (isRingedRow || places.some(isMarked));
  return isSeen ? null : active.outerHTML.slice(0, 200);
}

/** Presses Tab until an element of this role and name has the focus; every stop on the way must be visible. */
async function tabTo(role: 'button' | 'textbox', name: string | RegExp, most = 30): Promise<void> {
  const { page } = journey;
  const goal = page.getByRole(role, { name, exact: true });
  for (let count = 0; count < most; count += 1) {
    await press('Tab');
    await expectFocusSeen();
    if (await goal.evaluateAll((all) => all.includes(document.activeElement as never))) return;
  }
  throw new Error(`${most} Tabs did not lead to ${role} ${String(name)}`);
}
/** The markup of what has the focus, with the text that is typed there. */
const focused = () =>
  journey.page.evaluate(() => {
    const { activeElement: active } = document;
    return `${active?.outerHTML} ${active instanceof HTMLTextAreaElement ? active.value : ''}`;
  });
const expectFocusIn = (dialog: Locator) =>
  expect.poll(() => dialog.evaluate((element) => element.contains(document.activeElement))).toBe(true);
const expectFocusOn = (email: string) =>
  expect
    .poll(() =>
      journey.page.evaluate(
        () => document.activeElement?.closest('tr')?.textContent ?? document.activeElement?.outerHTML,
      ),
    )
    .toContain(email);

it('the first stop leads past the header and the list of pages', async () => {
  const { page, panel } = journey;
  await page.goto(`${panel.url}panel/groups`);
  await page.getByRole('heading', { name: 'Groups' }).waitFor();
  await press('Tab');
  await expectFocusSeen();
  await press('Enter');
  await expect.poll(focused).toContain('<h1');
});

describe('clients without a mouse', () => {
  it('are reached, searched and walked through', async () => {
    const { page } = journey;
    await press('g', 'c');
    await page.getByRole('heading', { name: 'Clients' }).waitFor();
    await page.getByText('40 clients', { exact: true }).waitFor();
    await press('/');
    await expectFocusSeen();
    await page.keyboard.type('person-1');
    await page.getByText('10 clients', { exact: true }).waitFor();
    await press('ArrowDown');
    await expectFocusSeen();
    await press('End');
    await expectFocusOn(emailOf(19));
    await press('Home', 'ArrowDown', 'ArrowDown', 'ArrowUp');
    await expectFocusOn(emailOf(11));
    await expectFocusSeen();
  });

  it('are selected one by one and as a range', async () => {
    const { page } = journey;
    await press('Space');
    await page.getByText('1 selected', { exact: true }).waitFor();
    await press('Shift+ArrowDown', 'Shift+ArrowDown');
    await page.getByText('3 selected', { exact: true }).waitFor();
    await press('Space');
    await page.getByText('2 selected', { exact: true }).waitFor();
    await press('Space');
    await page.getByText('3 selected', { exact: true }).waitFor();
  });

  it('are changed together, and the skipped ones are listed', async () => {
    const { page, panel } = journey;
    await tabTo('button', 'Adjust');
    await press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Adjust 3 clients' });
    await dialog.waitFor();
    await expectFocusSeen();
    await press('Tab', 'Control+A');
    await page.keyboard.type('2');
    await press('Enter');
    const result = page.getByRole('dialog', { name: 'Result' });
    await result.getByText('0 done, 3 skipped').waitFor();
    await result.getByRole('rowheader', { name: emailOf(12) }).waitFor();
    await press('Escape');
    await result.waitFor({ state: 'detached' });
    // The focus is where the action began.
    await expectFocusSeen();
    await tabTo('button', 'Disable');
    await press('Enter');
    await page.getByRole('dialog', { name: 'Disable 3 clients?' }).waitFor();
    await tabTo('button', 'Disable 3 clients');
    await press('Enter');
    await rowOf(emailOf(12)).getByText('Disabled').waitFor();
    const { client } = await panel.api.get<{ client: { enable: boolean } }>(`/panel/api/clients/get/${emailOf(12)}`);
    expect(client.enable).toBe(false);
    await tabTo('button', 'Clear');
    await press('Enter');
    await page.getByText('3 selected', { exact: true }).waitFor({ state: 'detached' });
  });

  it('are opened, and Escape leads back to the row', async () => {
    const { page } = journey;
    await press('/', 'ArrowDown', 'Home', 'ArrowDown', 'ArrowDown', 'ArrowDown');
    await expectFocusOn(emailOf(13));
    await press('Enter');
    const drawer = page.getByRole('dialog', { name: emailOf(13) });
    await drawer.getByText('Credentials').waitFor();
    for (let stop = 0; stop < 5; stop += 1) {
      await press('Tab');
      await expectFocusSeen();
      expect(await drawer.evaluate((element) => element.contains(document.activeElement))).toBe(true);
    }
    await press('Escape');
    await drawer.waitFor({ state: 'detached' });
    await expectFocusOn(emailOf(13));
  });

  it('are looked at in dialogs over the drawer, which Escape closes one by one', async () => {
    const { page } = journey;
    await press('Enter');
    const drawer = page.getByRole('dialog', { name: emailOf(13) });
    await drawer.getByText('Credentials').waitFor();
    await expectFocusIn(drawer);
    await tabTo('button', 'Add link');
    await press('Enter');
    const link = page.getByRole('dialog', { name: 'Add external link' });
    await expectFocusIn(link);
    await press('Escape');
    await link.waitFor({ state: 'detached' });
    await expect.poll(focused).toContain('Add link');
    await expectFocusIn(drawer);
    await press('Escape');
    await drawer.waitFor({ state: 'detached' });
    await expectFocusOn(emailOf(13));
  });

  it('are edited and saved, and the focus comes back', async () => {
    const { page, panel } = journey;
    await press('e');
    const editor = page.getByRole('dialog', { name: `Edit ${emailOf(13)}` });
    await editor.waitFor();
    await tabTo('textbox', 'Comment');
    await page.keyboard.type('by keyboard');
    await tabTo('button', 'Save');
    await press('Enter');
    await editor.waitFor({ state: 'detached' });
    await expectFocusOn(emailOf(13));
    await rowOf(emailOf(13)).getByText('by keyboard').waitFor();
    const { client } = await panel.api.get<{ client: { comment: string } }>(`/panel/api/clients/get/${emailOf(13)}`);
    expect(client.comment).toBe('by keyboard');
  });

  it('ask before typed text is lost, and before they are deleted', async () => {
    const { page, panel } = journey;
    await press('e');
    const editor = page.getByRole('dialog', { name: `Edit ${emailOf(13)}` });
    await editor.waitFor();
    await tabTo('textbox', 'Comment');
    await page.keyboard.type(' again');
    await press('Escape');
    const confirmation = page.getByRole('dialog', { name: 'Discard what you typed?' });
    await confirmation.waitFor();
    // Escape closes the question alone: back to the text, not to the same question.
    await press('Escape');
    await confirmation.waitFor({ state: 'detached' });
    await expectFocusIn(editor);
    expect(await focused()).toContain('by keyboard again');
    await press('Escape');
    await confirmation.waitFor();
    await tabTo('button', 'Discard');
    await press('Enter');
    await editor.waitFor({ state: 'detached' });
    await expectFocusOn(emailOf(13));

    await press('Delete');
    const deletion = page.getByRole('dialog', { name: 'Delete 1 client?' });
    await deletion.waitFor();
    await press('Escape');
    await deletion.waitFor({ state: 'detached' });
    await expectFocusOn(emailOf(13));
    await press('Delete');
    await deletion.waitFor();
    await tabTo('button', 'Delete 1 client');
    await press('Enter');
    await page.getByRole('dialog', { name: 'Result' }).getByText('1 done, 0 skipped').waitFor();
    await rowOf(emailOf(13)).waitFor({ state: 'detached' });
    await press('Escape');
    await expectFocusOn(emailOf(14));
    expect((await panel.api.send('GET', `/panel/api/clients/get/${emailOf(13)}`)).success).toBe(false);
  });

  it('are found by the palette from another page', async () => {
    const { page } = journey;
    await press('g', 'o');
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await press('Control+k');
    const field = page.getByRole('combobox', { name: 'Search pages, clients, actions and settings' });
    // The dialog takes the focus a moment after it is visible.
    await expect.poll(() => field.evaluate((input) => input === document.activeElement)).toBe(true);
    await page.keyboard.type(emailOf(27));
    await page.getByRole('option', { name: emailOf(27), selected: true }).waitFor();
    await press('Enter');
    await page
      .getByRole('dialog', { name: emailOf(27) })
      .getByText('Credentials')
      .waitFor();
    await press('Escape');
    await press('Shift+?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).getByText('Search in the list').waitFor();
    await press('Escape');
    expect(journey.faults).toEqual([]);
  });
});

describe('groups without a mouse', () => {
  it('keep the focus in the dialog when one is refused, and on the page when one is deleted', async () => {
    const { page, panel } = journey;
    await panel.api.post('/panel/api/clients/groups/create', { name: 'Family' });
    await press('g', 'g');
    await page.getByRole('heading', { name: 'Groups' }).waitFor();
    const add = page.getByRole('button', { name: 'Add group' });
    // A list that was empty a moment ago has this button in its middle.
    await page.getByRole('button', { name: /^Actions for .*Family/ }).waitFor();
    // Another page begins where the last one was left: Tab may lead out of the window first.
    await add.focus();
    await press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Add group' });
    await expectFocusIn(dialog);
    await page.keyboard.type('Family');
    await tabTo('button', 'Save');
    await press('Enter');
    await dialog.getByText('group already exists').waitFor();
    await expect.poll(focused).toContain('Save');
    await press('Escape');
    await page.getByRole('dialog', { name: 'Discard what you typed?' }).waitFor();
    await tabTo('button', 'Discard');
    await press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await tabTo('button', /^Actions for .*Family/);
    await press('Enter');
    await page.getByRole('menuitem', { name: 'Delete group' }).waitFor();
    // A menu takes the focus a moment after it opens.
    await expectFocusIn(page.getByRole('menu'));
    await press('ArrowDown', 'ArrowUp', 'Enter');
    await page.getByRole('dialog', { name: /^Delete group .*Family/ }).waitFor();
    await tabTo('button', 'Delete group');
    await press('Enter');
    await page.getByRole('button', { name: /^Rename .*Family/ }).waitFor({ state: 'detached' });
    await expectFocusSeen();
    expect(journey.faults).toEqual([]);
  });
});
