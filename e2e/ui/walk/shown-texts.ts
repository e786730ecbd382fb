import type { Page } from 'playwright';

/** A piece of text that the page shows or reads out. */
export interface ShownText {
  text: string;
  /** The element around it, for people. */
  where: string;
}

/** Where what people and programs wrote is shown: names, keys, addresses, code. Other languages name themselves. */
const DATA =
  'bdi, .mantine-Pill-label, code, pre, kbd, script, style, textarea, .cm-editor, [dir]:not(html), [lang]:not(html)';

/** Every word of the interface on show, with labels and hints of its parts; without data. */
export async function shownTexts(page: Page): Promise<ShownText[]> {
  return page.evaluate((data) => {
    const found: { text: string; where: string }[] = [];
    const add = (text: string | null, element: Element): void => {
      const trimmed = text?.trim() ?? '';
      if (/\p{L}|\d/u.test(trimmed)) found.push({ text: trimmed, where: element.outerHTML.slice(0, 140) });
    };
    const words = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (words.nextNode() !== null) {
      const element = words.currentNode.parentElement;
      if (element !== null && element.closest(data) === null && element.checkVisibility({ visibilityProperty: true }))
        add(words.currentNode.textContent, element);
    }
    for (const element of document.querySelectorAll<HTMLElement>('[aria-label], [placeholder], [title]'))
      if (
        element.checkVisibility({ visibilityProperty: true }) &&
        element.closest('[lang]:not(html), .cm-editor') === null
      )
        for (const name of ['aria-label', 'placeholder', 'title']) {
          const text = element.getAttribute(name);
          // A title that tells whole what is cut off says nothing of its own.
          if (text?.trim() !== element.textContent?.trim()) add(text, element);
        }
    return found;
  }, DATA);
}

/** What makes the page wider than the window; empty when nothing does. */
export async function tooWide(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth <= clientWidth) return [];
    const isScrolled = (element: Element): boolean => {
      for (let at = element.parentElement; at !== null && at !== document.body; at = at.parentElement)
        if (getComputedStyle(at).overflowX !== 'visible') return true;
      return false;
    };
    const culprit = [...document.querySelectorAll('body *')].find((element) => {
      const { left, right } = element.getBoundingClientRect();
      return (right > clientWidth + 1 || left < -1) && !isScrolled(element);
    });
    return [`${scrollWidth - clientWidth} px wider than the window: ${culprit?.outerHTML.slice(0, 160)}`];
  });
}

/** Elements that cut their text off without a hint at it, and buttons whose words stand out of them. */
export async function clippedTexts(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = [];
    /** Data may end in dots; our own words only where they are shown whole on hover, or in a column that can be widened. */
    const isKnownOtherwise = (element: Element): boolean =>
      !(element.textContent ?? '').includes('⟦') || element.closest('[title], [data-column]') !== null;
    for (const element of document.querySelectorAll<HTMLElement>('#root *, [data-portal] *')) {
      if (element.clientWidth <= 1 || (element.textContent ?? '').trim() === '' || !element.checkVisibility()) continue;
      if (element.closest('.cm-editor, pre, [aria-hidden="true"]') !== null) continue;
      const style = getComputedStyle(element);
      const isCut =
        ['hidden', 'clip'].includes(style.overflowX) &&
        element.scrollWidth > element.clientWidth + 1 &&
        !(style.textOverflow === 'ellipsis' && isKnownOtherwise(element));
      // The title of a dialog ends in dots after some lines when a name in it is that long.
      const endsInDots = style.webkitLineClamp !== 'none' && /onerror=|w{20}|e{20}/.test(element.textContent ?? '');
      const isTooLow =
        ['hidden', 'clip'].includes(style.overflowY) && element.scrollHeight > element.clientHeight + 2 && !endsInDots;
      if (isCut || isTooLow) found.push(`${isCut ? 'cut' : 'too low'}: ${element.outerHTML.slice(0, 200)}`);
    }
    return found;
  });
}
