import type { IncomingMessage } from 'node:http';
import { headerText } from '../guards/client-address.ts';
import type { SubFormat } from './sub-source.ts';

/** The settings that decide which address means what. */
export interface SubPaths {
  subPath: string;
  subJsonPath: string;
  subJsonEnable: boolean;
  subYamlPath: string;
  subYamlEnable: boolean;
}

/** No honest subId is longer, escapes included. */
const MAX_ID = 512;
const NO_QUERY = new URLSearchParams();

/** Which subscription a request names, and in which format; null = none. */
export function requestedSubscription(request: IncomingMessage, settings: SubPaths) {
  if (request.method !== 'GET' && request.method !== 'HEAD') return null;
  const address = request.url ?? '';
  const at = address.indexOf('?');
  const path = at === -1 ? address : address.slice(0, at);
  const format = formatAt(path, settings);
  if (format === null) return null;
  const id = path.slice(format.prefix.length);
  if (id === '' || id.length > MAX_ID || id.includes('/')) return null;
  try {
    const subId = decodeURIComponent(id);
    return { subId, format: format.kind, query: at === -1 ? NO_QUERY : new URLSearchParams(address.slice(at + 1)) };
  } catch {
    return null;
  }
}

/**
 * The token of a request about e-mails: `<subPath>mail/<token>`, which cannot be a subId; null = it is about something
 * else.
 */
export function mailTokenOf(request: IncomingMessage, { subPath }: SubPaths): string | null {
  const [path = ''] = (request.url ?? '').split('?');
  const prefix = `${subPath}mail/`;
  const token = path.startsWith(prefix) ? path.slice(prefix.length) : '';
  return /^[\w-]{1,64}$/.test(token) ? token : null;
}

/** The longest path decides: that of a format may lie below another's. */
function formatAt(path: string, settings: SubPaths): { kind: SubFormat; prefix: string } | null {
  const { subPath, subJsonPath, subJsonEnable, subYamlPath, subYamlEnable } = settings;
  let found: { kind: SubFormat; prefix: string } | null = null;
  const consider = (kind: SubFormat, prefix: string) => {
    if (path.startsWith(prefix) && prefix.length > (found?.prefix.length ?? 0)) found = { kind, prefix };
  };
  consider('raw', subPath);
  if (subJsonEnable) consider('json', subJsonPath);
  if (subYamlEnable) consider('yaml', subYamlPath);
  return found;
}

/** Browsers get the page, unless they request the document itself. */
export function wantsPage(request: IncomingMessage, query: URLSearchParams): boolean {
  if (query.get('view') === 'raw') return false;
  const accepts = headerText(request.headers.accept).toLowerCase().includes('text/html');
  return accepts || query.get('html') === '1' || query.get('view') === 'html';
}
