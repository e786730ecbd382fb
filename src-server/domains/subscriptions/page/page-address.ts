import type { PageLanguage } from './page-texts.ts';

/** What stays as it is from one address of the page to the next. */
export interface PageState {
  language: PageLanguage;
  /** The system that was asked for, empty = the browser's own. */
  askedSystem: string;
}

/** An address of this very page, as it stands in an attribute. */
export function pageAddress(
  { language, askedSystem }: PageState,
  more: Record<string, string> = {},
  place = '',
): string {
  const query = { html: '1', lang: language, ...(askedSystem === '' ? {} : { os: askedSystem }), ...more };
  return `?${new URLSearchParams(query).toString().replaceAll('&', '&amp;')}${place === '' ? '' : `#${place}`}`;
}
