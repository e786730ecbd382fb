import type { JSHandle, Page } from 'playwright';

/** Of the texts that look alike, so many are looked at: one of them may lie under something. */
const OF_EACH = 4;

/**
 * Elements with text or links, each colour, weight and background among them: a table repeats them by the hundred, and contrast is
 * most of the work of axe.
 *
 * @param within selector of where they are looked for; absent = the whole page
 */
export function distinctTexts(page: Page, within = 'body'): Promise<JSHandle<Element[]>> {
  return page.evaluateHandle(
    ({ selector, ofEach }) => {
      const grounds = new Map<Element, string>();
      /** Everything around a text that has a part in what is behind it. */
      function groundOf(element: Element | null): string {
        if (element === null) return '';
        let ground = grounds.get(element);
        if (ground === undefined) {
          const { backgroundColor, backgroundImage, opacity, filter } = getComputedStyle(element);
          const own = `${backgroundColor} ${backgroundImage} ${opacity} ${filter}`;
          ground = groundOf(element.parentElement) + (own === 'rgba(0, 0, 0, 0) none 1 none' ? '' : `/${own}`);
          grounds.set(element, ground);
        }
        return ground;
      }
      function isSeen(element: Element): boolean {
        const { left, top, width, height } = element.getBoundingClientRect();
        const seen = document.elementFromPoint(left + width / 2, top + height / 2);
        return width > 1 && seen !== null && element.contains(seen);
      }
      const hasText = (element: Element): boolean =>
        element.hasAttribute('placeholder') ||
        element instanceof HTMLInputElement ||
        [...element.childNodes].some(
          ({ nodeType, data }: ChildNode & { data?: string }) => nodeType === Node.TEXT_NODE && data?.trim() !== '',
        );
      const alike = new Map<string, Element[]>();
      const links: Element[] = [];
      for (const element of document.querySelectorAll(`:is(${selector}) *`)) {
        if (element.tagName === 'A') links.push(element);
        if (!hasText(element) || !element.checkVisibility({ visibilityProperty: true })) continue;
        const { color, fontSize, fontWeight, textShadow } = getComputedStyle(element);
        // Contrast does not count where nothing can be done.
        const isOff =
          element.closest(':disabled, [aria-disabled="true"], [aria-hidden="true"], [data-disabled]') !== null ||
          element.closest('label')?.control?.matches(':disabled');
        const look = [color, fontSize, fontWeight, textShadow, isOff, isSeen(element), groundOf(element)].join();
        const others = alike.get(look);
        if (others === undefined) alike.set(look, [element]);
        else if (others.length < ofEach) others.push(element);
      }
      return [...links, ...[...alike.values()].flat()];
    },
    { selector: within, ofEach: OF_EACH },
  );
}
