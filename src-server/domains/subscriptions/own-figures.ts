import type { PageLanguage } from './page/page-texts.ts';

/** Converts numbers with Latin digits and a point to the language's notation. */
export function ownFigures(language: PageLanguage, text: string): string {
  return text.replaceAll(/(\d+)(?:\.(\d+))?/g, (figure, whole: string, fraction = '') => {
    const options = { useGrouping: false, minimumIntegerDigits: whole.length, minimumFractionDigits: fraction.length };
    // Longer ones are not amounts, and exceed exact integers.
    return figure.length > 15 ? figure : new Intl.NumberFormat(language, options).format(Number(figure));
  });
}
