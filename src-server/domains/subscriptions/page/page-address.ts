import type { PageLanguage } from './page-texts.ts';

/** Parameters kept from one address of the page to the next. */
export interface PageState {
  language: PageLanguage;
  /** The requested system, empty = the browser's own. */
  requestedSystem: string;
}

/** An address of this page, escaped for an attribute. */
export function pageAddress(
  { language, requestedSystem }: PageState,
  more: Record<string, string> = {},
  place = '',
): string {
  const query = { html: '1', lang: language, ...(requestedSystem === '' ? {} : { os: requestedSystem }), ...more };
  return `?${new URLSearchParams(query).toString().replaceAll('&', '&amp;')}${place === '' ? '' : `#${place}`}`;
}
