import { isPagePath } from './own-page.ts';

const DEEP_SCHEME = 'switchyard';
/** Pages that a link may open; what their dialogs would do stays the operator's decision. */
const PAGES = new Set([
  '',
  'inbounds',
  'clients',
  'traffic',
  'sessions',
  'groups',
  'hosts',
  'nodes',
  'core',
  'journal',
  'logs',
  'settings',
  'api-reference',
  'about',
]);

export type DeepLink =
  /** Path and query of a page. */
  | { kind: 'open'; path: string }
  /** Prefills the form of a new connection, never saves it. */
  | { kind: 'connect'; url: string; name: string };

/**
 * Reads `switchyard://open/<page>?…` and `switchyard://connect?url=…&name=…`. Anybody can make such a link: it may show
 * a page or prefill a form, never act. Null when it is anything else.
 */
export function readDeepLink(raw: string): DeepLink | null {
  if (raw.length > 2048 || !URL.canParse(raw)) return null;
  const url = new URL(raw);
  if (url.protocol !== `${DEEP_SCHEME}:` || url.username !== '' || url.password !== '' || url.port !== '') return null;
  if (url.host === 'open') return openLink(url);
  return url.host === 'connect' ? connectLink(url) : null;
}

function openLink(url: URL): DeepLink | null {
  const page = url.pathname.replace(/^\/|\/$/g, '');
  if (page === 'connections') return { kind: 'open', path: '/desktop/connections' };
  if (!PAGES.has(page)) return null;
  const path = page === '' ? '/panel' : `/panel/${page}`;
  return isPagePath(path) ? { kind: 'open', path: path + url.search } : null;
}

function connectLink(url: URL): DeepLink | null {
  const target = url.searchParams.get('url') ?? '';
  if (!URL.canParse(target) || !/^https?:$/.test(new URL(target).protocol)) return null;
  const { origin, pathname } = new URL(target);
  return { kind: 'connect', url: origin + pathname, name: (url.searchParams.get('name') ?? '').slice(0, 64) };
}

/** The link among the start arguments, as systems other than macOS pass it. */
export function deepLinkIn(argv: readonly string[]): string | null {
  return argv.find((argument) => argument.startsWith(`${DEEP_SCHEME}://`)) ?? null;
}
