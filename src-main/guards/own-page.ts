/** The scheme of our own pages, and its only host. */
export const SCHEME = 'app';
export const PAGE_HOST = 'panel';
export const HOME = `${SCHEME}://${PAGE_HOST}/`;

/** Compares parsed parts: a custom scheme has the opaque origin "null", and prefix checks accept look-alike hosts. */
export function isOwnPage(raw: string | undefined): boolean {
  if (raw === undefined || !URL.canParse(raw)) return false;
  const url = new URL(raw);
  return url.protocol === `${SCHEME}:` && url.host === PAGE_HOST && url.username === '' && url.password === '';
}

/**
 * Whether the window may navigate to an address: one of our pages. A panel's response is data, even at our own host: it
 * must never become the page of this window.
 */
export function isNavigable(raw: string): boolean {
  return isOwnPage(raw) && isPagePath(new URL(raw).pathname);
}

/** Paths that the interface handles itself; all others belong to the panel or to the interface's files. */
export function isPagePath(path: string): boolean {
  return path === '/' || /^\/(panel|desktop)$/.test(path) || (/^\/(panel|desktop)\//.test(path) && !isPanelCall(path));
}

const CALLS = new Set(['/login', '/logout', '/csrf-token', '/panel/csrf-token', '/getTwoFactorEnable']);

/** Paths that are forwarded to the connected panel. */
export function isPanelCall(path: string): boolean {
  return CALLS.has(path) || path === '/panel/api' || path.startsWith('/panel/api/');
}
