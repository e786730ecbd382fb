import type { Page } from 'playwright';
import { expectAccessible } from './browser.ts';

/** Fails with every violation that axe finds on the page as it stands, light and then dark. */
export async function expectAccessibleInBothThemes(page: Page): Promise<void> {
  for (const [colorScheme, rules] of [
    ['light', 'all'],
    ['dark', 'colours'],
  ] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    // Colours move over for a moment.
    await page.waitForFunction(
      (scheme) =>
        document.documentElement.dataset['mantineColorScheme'] === scheme &&
        document.getAnimations().every((animation) => animation.playState !== 'running'),
      colorScheme,
    );
    await expectAccessible(page, rules);
  }
}
