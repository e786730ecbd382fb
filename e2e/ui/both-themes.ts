import type { Page } from 'playwright';
import { expectAccessible } from './browser.ts';

export type Scheme = 'light' | 'dark';
export const otherScheme = (scheme: Scheme): Scheme => (scheme === 'light' ? 'dark' : 'light');

/**
 * Fails on every axe violation of the page as it is, in one theme and then in the other.
 * @param colouredWithin selector of the part whose colours are checked: the page behind it was checked before
 */
export async function expectAccessibleInBothThemes(
  page: Page,
  first: Scheme = 'light',
  colouredWithin?: string,
): Promise<void> {
  await expectAccessible(page, 'layout');
  for (const colorScheme of [first, otherScheme(first)]) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    // Colours change with a short transition.
    await page.waitForFunction(
      (scheme) =>
        document.documentElement.dataset['mantineColorScheme'] === scheme &&
        document.getAnimations().every((animation) => animation.playState !== 'running'),
      colorScheme,
    );
    await expectAccessible(page, 'colours', colouredWithin);
  }
}
