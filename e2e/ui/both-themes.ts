import type { Page } from 'playwright';
import { expectAccessible } from './browser.ts';

export type Scheme = 'light' | 'dark';
export const otherScheme = (scheme: Scheme): Scheme => (scheme === 'light' ? 'dark' : 'light');

/**
 * Fails with every violation that axe finds on the page as it stands, in one theme and then in the other.
 * @param colouredWithin selector of what colours are looked at in: the page behind it was a stop of its own
 */
export async function expectAccessibleInBothThemes(
  page: Page,
  first: Scheme = 'light',
  colouredWithin?: string,
): Promise<void> {
  await expectAccessible(page, 'layout');
  for (const colorScheme of [first, otherScheme(first)]) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    // Colours move over for a moment.
    await page.waitForFunction(
      (scheme) =>
        document.documentElement.dataset['mantineColorScheme'] === scheme &&
        document.getAnimations().every((animation) => animation.playState !== 'running'),
      colorScheme,
    );
    await expectAccessible(page, 'colours', colouredWithin);
  }
}
