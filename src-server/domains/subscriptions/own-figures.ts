import type { PageLanguage } from './page/page-texts.ts';

/** Figures that were written with Latin digits and a point, as the language writes them. */
export function ownFigures(language: PageLanguage, text: string): string {
  return text.replaceAll(/(\d+)(?:\.(\d+))?/g, (figure, whole: string, fraction = '') => {
    const options = { useGrouping: false, minimumIntegerDigits: whole.length, minimumFractionDigits: fraction.length };
    // Longer ones are no amounts, and more than can be counted exactly.
    return figure.length > 15 ? figure : new Intl.NumberFormat(language, options).format(Number(figure));
  });
}
