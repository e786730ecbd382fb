import type { Page } from 'playwright';
import { beforeAll, describe, expect, it } from 'vitest';
import { forAllTests } from '../../src-server/testing/for-each-test.ts';
import { expectAccessibleInBothThemes } from './both-themes.ts';
import { startJourney } from './journey.ts';
import { tooWide } from './walk/shown-texts.ts';
import { addVlessInbound } from '../harness/vless-inbound.ts';

const TARGET_PX = 44;
const GIB = 1024 ** 3;

const journey = forAllTests(() =>
  startJourney({ viewport: { width: 360, height: 780 }, hasTouch: true, isMobile: true }),
);
beforeAll(async () => {
  const { api } = journey.panel;
  const { id } = await addVlessInbound(api, { remark: 'Office with a rather long name for a phone' });
  const people = Array.from({ length: 30 }, (_, index) => ({
    client: {
      email: index === 0 ? `a-very-long-name-of-somebody-${'x'.repeat(60)}@example.org` : `guest-${index}`,
      totalGB: index * GIB,
      comment: index === 3 ? 'renews by hand, every month, after a call' : '',
      group: 'family and friends',
    },
    inboundIds: [id],
  }));
  await api.post('/panel/api/clients/import', { data: JSON.stringify(people) });
});

/** Fails when something is wider than the screen, unless it scrolls sideways or is truncated on purpose. */
async function expectFits(page: Page): Promise<void> {
  const culprits = await page.evaluate(() => {
    const edge = document.documentElement.clientWidth;
    const isMeant = (element: Element): boolean => {
      for (let at: Element | null = element; at !== null; at = at.parentElement) {
        if (at.matches('.mantine-ScrollArea-root, .mantine-SegmentedControl-root, nav')) return true;
        if (getComputedStyle(at).textOverflow === 'ellipsis') return true;
      }
      return false;
    };
    return [...document.querySelectorAll('main *, [role="dialog"] *')]
      .filter((element) => {
        const { left, right, width } = element.getBoundingClientRect();
        return width > 0 && (right > edge + 1 || left < -1) && !isMeant(element);
      })
      .map((element) => element.outerHTML.slice(0, 160));
  });
  expect(culprits.slice(0, 3)).toEqual([]);
  expect(await tooWide(page)).toEqual([]);
}

/**
 * Fails for every visible control that a finger of 44 px can miss: whatever lies half that far from its middle must be
 * the control, its label, or at least no other control's.
 */
async function expectFingerSized(page: Page): Promise<void> {
  const missed = await page.evaluate((size) => {
    const CONTROL = 'button, a[href], input, select, textarea, [role="button"], [role="menuitem"], [role="option"]';
    const found: string[] = [];
    for (const element of document.querySelectorAll<HTMLElement>(CONTROL)) {
      // The kit's field of several values takes a tap anywhere in its frame.
      const control = (element.matches('input') && element.closest<HTMLElement>('.mantine-Input-input')) || element;
      control.scrollIntoView({ block: 'center' });
      const box = control.getBoundingClientRect();
      const middle = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
      if (box.width === 0 || getComputedStyle(control).visibility === 'hidden' || control.closest('[inert]') !== null)
        continue;
      const isAtMiddle = document.elementFromPoint(middle.x, middle.y);
      // Below a dialog, a bar or the edge of the screen.
      if (isAtMiddle === null || !(control.contains(isAtMiddle) || belongs(isAtMiddle, control))) continue;
      const reach = size / 2 - 1;
      const points = [
        { x: middle.x - reach, y: middle.y },
        { x: middle.x + reach, y: middle.y },
        { x: middle.x, y: middle.y - reach },
        { x: middle.x, y: middle.y + reach },
      ];
      const other = points
        .map(({ x, y }) => document.elementFromPoint(x, y))
        .find((hit) => hit !== null && !control.contains(hit) && !belongs(hit, control));
      if (other !== undefined)
        found.push(
          `${Math.round(box.width)}x${Math.round(box.height)} ${control.outerHTML.slice(0, 160)} beside ${other?.outerHTML.slice(0, 120)}`,
        );
    }
    return found;
    function belongs(hit: Element, control: HTMLElement): boolean {
      const labels = (control as HTMLInputElement).labels ?? [];
      const around = control.closest('label');
      return [...labels, ...(around === null ? [] : [around])].some((label) => label.contains(hit));
    }
  }, TARGET_PX);
  expect(missed).toEqual([]);
}

async function expectGoodOnPhone(): Promise<void> {
  await expectFits(journey.page);
  await expectFingerSized(journey.page);
}

describe('a phone of 360 px', () => {
  it('shows the overview without a sideways scroll, everything within reach of a finger', async () => {
    const { page, panel } = journey;
    await page.goto(`${panel.url}panel`);
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.getByRole('img').first().waitFor();
    await expectGoodOnPhone();
    await page.mouse.wheel(0, 2000);
    await expectGoodOnPhone();
    await expectAccessibleInBothThemes(page);
  });

  it('opens the clients from the bottom bar: cards, not a table', async () => {
    const { page } = journey;
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Clients' }).tap();
    await page.getByText('30 clients', { exact: true }).waitFor();
    await expectGoodOnPhone();
    const card = page.getByRole('row', { name: /guest-3 / });
    const [name, comment] = await Promise.all([
      card.getByText('guest-3', { exact: true }).boundingBox(),
      card.getByText('renews by hand').boundingBox(),
    ]);
    expect(comment!.y).toBeGreaterThan(name!.y + name!.height - 1);
    expect(await page.getByRole('columnheader', { name: 'Traffic' }).isVisible()).toBe(false);
  });

  it('searches, opens a full-width sheet, edits', async () => {
    const { page, panel } = journey;
    await page.getByRole('searchbox').tap();
    await page.getByRole('searchbox').fill('guest-3');
    await page.getByText('1 client', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'guest-3', exact: true }).tap();
    const sheet = page.getByRole('dialog', { name: 'guest-3' });
    await sheet.getByText('Credentials').waitFor();
    expect((await sheet.boundingBox())!.width).toBe(360);
    await expectGoodOnPhone();
    await sheet.getByRole('button', { name: 'Edit', exact: true }).tap();
    const editor = page.getByRole('dialog', { name: 'Edit guest-3' });
    await editor.getByLabel('Comment').fill('typed with a thumb');
    await expectGoodOnPhone();
    await editor.getByRole('button', { name: 'Save' }).tap();
    await editor.waitFor({ state: 'detached' });
    const { client } = await panel.api.get<{ client: { comment: string } }>('/panel/api/clients/get/guest-3');
    expect(client.comment).toBe('typed with a thumb');
    await sheet.getByRole('button', { name: 'Close' }).tap();
    await sheet.waitFor({ state: 'detached' });
  });

  it('selects and changes several at once', async () => {
    const { page, panel } = journey;
    await page.getByRole('searchbox').fill('guest-2');
    await page.getByText('11 clients', { exact: true }).waitFor();
    await page.getByLabel('Select guest-20', { exact: true }).tap();
    await page.getByLabel('Select guest-21', { exact: true }).tap();
    const bar = page.getByRole('region', { name: 'Selected clients' });
    await bar.getByText('2 selected').waitFor();
    // The box has the colour of its card behind it.
    const box = page.locator('td[data-cell="select"]', { has: page.getByLabel('Select guest-20', { exact: true }) });
    await expect.poll(() => box.evaluate((cell) => getComputedStyle(cell).backgroundColor)).toBe('rgba(0, 0, 0, 0)');
    await expectGoodOnPhone();
    // The bar leaves three quarters of the screen to the cards: three actions and a menu.
    expect((await bar.boundingBox())!.height).toBeLessThan(780 / 4);
    await bar.getByRole('button', { name: 'Select all 11 that match' }).tap();
    await bar.getByText('11 selected').waitFor();
    await bar.getByRole('button', { name: 'Adjust', exact: true }).tap();
    const dialog = page.getByRole('dialog', { name: 'Adjust 11 clients' });
    await dialog.getByLabel('Traffic to add').fill('1');
    await expectGoodOnPhone();
    await dialog.getByRole('button', { name: 'Adjust' }).tap();
    const result = page.getByRole('dialog', { name: 'Result' });
    await result.getByText('11 done, 0 skipped').waitFor();
    await expectGoodOnPhone();
    await result.getByRole('button', { name: 'Close' }).tap();
    const { client } = await panel.api.get<{ client: { totalGB: number } }>('/panel/api/clients/get/guest-20');
    expect(client.totalGB).toBe(21 * GIB);
    await expectAccessibleInBothThemes(page);
  });

  it('reaches the pages behind "More"', async () => {
    const { page } = journey;
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('button', { name: 'More' }).tap();
    await page.getByRole('menuitem', { name: 'Settings' }).waitFor();
    await expectFingerSized(page);
    await page.getByRole('menuitem', { name: 'Settings' }).tap();
    await page.getByRole('heading', { name: 'Settings' }).waitFor();
    expect(journey.faults).toEqual([]);
  });

  it('saves a setting without the keyboard coming up again', async () => {
    const { page, panel } = journey;
    await page.goto(`${panel.url}panel/settings/subscription`);
    await page.getByLabel('Title', { exact: true }).tap();
    await page.getByLabel('Title', { exact: true }).fill('Saved with a thumb');
    await page.getByRole('button', { name: 'Save', exact: true }).tap();
    await page.getByText('The settings are saved.').waitFor();
    await page.getByRole('button', { name: 'Save', exact: true }).waitFor({ state: 'detached' });
    expect(await page.evaluate(() => document.activeElement?.tagName)).not.toBe('INPUT');
  });

  it('of 320 px has its buttons in one line, and names of pages that stay apart', async () => {
    const { page, panel } = journey;
    await page.setViewportSize({ width: 320, height: 640 });
    await page.goto(`${panel.url}panel`);
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    const header = (await page.locator('header').first().boundingBox())!;
    for (const button of await page.locator('header').first().getByRole('button').all()) {
      const { y, height } = (await button.boundingBox())!;
      expect(y).toBeGreaterThanOrEqual(0);
      expect(y + height).toBeLessThanOrEqual(header.height);
    }
    const names = await page.getByRole('navigation', { name: 'Pages' }).evaluate((bar) =>
      [...bar.children].map((entry) => {
        const range = document.createRange();
        range.selectNodeContents(entry);
        const { left, right } = range.getBoundingClientRect();
        return { left, right };
      }),
    );
    for (const [at, { left }] of names.slice(1).entries()) expect(left).toBeGreaterThan(names[at]!.right + 1);
    await page.setViewportSize({ width: 360, height: 780 });
  });
});
