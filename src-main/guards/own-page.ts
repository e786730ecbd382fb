/** The scheme our own pages come from, and its only host. */
export const SCHEME = 'app';
export const PAGE_HOST = 'panel';
export const HOME = `${SCHEME}://${PAGE_HOST}/`;

/** Compares parsed parts: a custom scheme has the opaque origin "null", and prefix tests accept look-alike hosts. */
export function isOwnPage(raw: string | undefined): boolean {
  if (raw === undefined || !URL.canParse(raw)) return false;
  const url = new URL(raw);
  return url.protocol === `${SCHEME}:` && url.host === PAGE_HOST && url.username === '' && url.password === '';
}

/**
 * Whether the window may go to an address: one of our pages. What a panel answers is data, even at our own host: an answer
 * must never become the page of this window.
 */
export function isNavigable(raw: string): boolean {
  return isOwnPage(raw) && isPagePath(new URL(raw).pathname);
}

/** Paths that the interface answers itself; every other one belongs to the panel or to the files of the interface. */
export function isPagePath(path: string): boolean {
  return path === '/' || /^\/(panel|desktop)$/.test(path) || (/^\/(panel|desktop)\//.test(path) && !isPanelCall(path));
}

const CALLS = new Set(['/login', '/logout', '/csrf-token', '/panel/csrf-token', '/getTwoFactorEnable']);

/** Paths that go to the connected panel. */
export function isPanelCall(path: string): boolean {
  return CALLS.has(path) || path === '/panel/api' || path.startsWith('/panel/api/');
}
