import type { Locator, Page } from 'playwright';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startJourney } from '../ui/journey.ts';
import { startSamplePanel } from '../ui/sample/sample-panel.ts';
import { SCREENS } from '../ui/walk/screens.ts';

const FIELDS =
  ':is(input:not([type=checkbox], [type=radio], [type=file], [role=combobox], [aria-haspopup]), textarea):not([readonly], [disabled])';
/** Time for a page to settle, with the responses to what was typed. */
const SETTLED_MS = 900;
const FOLLOWED_MS = 350;

vi.setConfig({ testTimeout: 900_000 });

interface Kind {
  keys: string;
  becomes: string;
}
const TEXT: Kind = { keys: 'ab.c12', becomes: 'ab.c12' };
const NUMBER: Kind = { keys: '25', becomes: '25' };
/** Typed as in en-US. */
const KINDS: Readonly<Record<string, Kind>> = {
  date: { keys: '03212026', becomes: '2026-03-21' },
  time: { keys: '1130PM', becomes: '23:30' },
  'datetime-local': { keys: '032120261130PM', becomes: '2026-03-21T23:30' },
};
const WITH_SECONDS: Kind = { keys: '03212026113015PM', becomes: '2026-03-21T23:30:15' };

/** Clears a field and types into it without a pause. @returns what the field shows then, and a moment later */
async function typeInto(page: Page, field: Locator): Promise<{ label: string; wanted: string; found: string[] }> {
  const { type, isNumber, hasSeconds, label } = await field.evaluate((element) => {
    const input = element as HTMLInputElement;
    return {
      type: input.type,
      hasSeconds: input.step === '1',
      isNumber: ['numeric', 'decimal'].includes(input.inputMode),
      label: input.labels?.[0]?.textContent ?? input.getAttribute('aria-label') ?? '',
    };
  });
  const { keys, becomes } = hasSeconds ? WITH_SECONDS : (KINDS[type] ?? (isNumber ? NUMBER : TEXT));
  await field.focus();
  if (KINDS[type] === undefined) {
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Delete');
  }
  await page.keyboard.type(keys);
  const found = [await field.inputValue()];
  await page.waitForTimeout(FOLLOWED_MS);
  found.push(await field.inputValue());
  return { label, wanted: becomes, found };
}

test('every field of every page keeps what was typed, key by key', async () => {
  const journey = await startJourney({ locale: 'en-US' }, async () => (await startSamplePanel()).panel);
  onTestFinished(() => journey.close());
  const { page, panel } = journey;
  page.removeAllListeners('dialog');
  page.on('dialog', (dialog) => void dialog.accept());
  const wrong: string[] = [];
  let fieldCount = 0;
  for (const { address, prepare } of SCREENS) {
    if (prepare !== undefined) continue;
    await page.goto(`${panel.url}panel/${address}`);
    await page.waitForTimeout(SETTLED_MS);
    for (const field of await page.locator(FIELDS).all()) {
      // Typing into one field may remove another.
      if (!(await field.isVisible())) continue;
      const { label, wanted, found } = await typeInto(page, field);
      fieldCount += 1;
      if (found.some((value) => value !== wanted))
        wrong.push(`${address}: "${label}" shows ${found.join(', then ')} instead of ${wanted}`);
    }
  }
  expect(wrong).toEqual([]);
  expect(fieldCount).toBeGreaterThan(100);
});
