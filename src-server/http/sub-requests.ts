import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from '../contract/logger.ts';
import { clientAddress, headerText, parseTrustedProxies } from './client-address.ts';
import { hostName } from './host-name.ts';
import { createMissLimit } from './sub-miss-limit.ts';
import { askedHost } from './sub-origin.ts';

/** What the door answers from; null = nobody has this subId. */
export interface SubscriptionSource {
  info(subId: string, host: string): Promise<object | null>;
  page(
    subId: string,
    host: string,
    language: string,
    acceptLanguage: string,
  ): Promise<{ html: string; policy: string } | null>;
}

/** The settings that a request depends on, read for each of them. */
export interface SubRequestSettings {
  subDomain: string;
  subPath: string;
  subJsonPath: string;
  subJsonEnable: boolean;
  subYamlPath: string;
  subYamlEnable: boolean;
  trustedProxyCIDRs: string;
}

const NOT_STORED = { 'Cache-Control': 'no-cache, no-store, must-revalidate', Pragma: 'no-cache', Expires: '0' };
const HARDENED = { 'X-Content-Type-Options': 'nosniff', 'Referrer-Policy': 'no-referrer' };
/** No honest subId is longer, escapes included. */
const MAX_ID = 512;

/** Answers requests of subscribers. Whatever names no subscription looks alike: 404 with nothing else. */
export function createSubRequests(deps: {
  source: SubscriptionSource;
  settings: () => SubRequestSettings;
  clock: () => number;
  log: Logger;
}): (request: IncomingMessage, response: ServerResponse) => void {
  const { source, settings, log } = deps;
  const misses = createMissLimit(deps.clock);

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const current = settings();
    const { subDomain } = current;
    if (subDomain !== '' && hostName(headerText(request.headers.host)) !== hostName(subDomain))
      return void response.writeHead(403, { 'Content-Length': 0 }).end();
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const asked = isRead ? askedFor(request.url ?? '', current) : null;
    if (asked === null) return refuse(response, 404);
    const { subId, query, isRawPath } = asked;
    const host = askedHost(request, current.trustedProxyCIDRs);
    const isMissing = (found: unknown): boolean => {
      if (found !== null) return false;
      const trust = parseTrustedProxies(current.trustedProxyCIDRs);
      const address = clientAddress(request.socket.remoteAddress, request.headers, trust);
      refuse(response, misses.isOver(address) ? 429 : 404);
      return true;
    };
    if (isRawPath && query.get('format')?.toLowerCase() === 'info') {
      const found = await source.info(subId, host);
      if (!isMissing(found)) send(request, response, 'application/json; charset=utf-8', JSON.stringify(found));
      return;
    }
    if (!wantsPage(request, query)) return refuse(response, 404);
    const accepted = headerText(request.headers['accept-language']);
    const page = await source.page(subId, host, query.get('lang') ?? '', accepted);
    if (isMissing(page) || page === null) return;
    response.setHeader('Content-Security-Policy', page.policy);
    send(request, response, 'text/html; charset=utf-8', page.html);
  }

  return (request, response) => {
    answer(request, response).catch((error: unknown) => {
      log.error('sub.failed', { error });
      if (response.headersSent) response.destroy();
      else refuse(response, 500);
    });
  };
}

function askedFor(address: string, settings: SubRequestSettings) {
  const [path = '', search = ''] = address.split('?', 2);
  const formats = [
    { prefix: settings.subPath, isOn: true, isRawPath: true },
    { prefix: settings.subJsonPath, isOn: settings.subJsonEnable, isRawPath: false },
    { prefix: settings.subYamlPath, isOn: settings.subYamlEnable, isRawPath: false },
  ];
  const format = formats.find(({ prefix, isOn }) => isOn && path.startsWith(prefix));
  const id = format === undefined ? '' : path.slice(format.prefix.length);
  if (format === undefined || id === '' || id.length > MAX_ID || id.includes('/')) return null;
  try {
    return { subId: decodeURIComponent(id), query: new URLSearchParams(search), isRawPath: format.isRawPath };
  } catch {
    return null;
  }
}

function wantsPage(request: IncomingMessage, query: URLSearchParams): boolean {
  if (query.get('view') === 'raw') return false;
  const accepts = headerText(request.headers.accept).toLowerCase().includes('text/html');
  return accepts || query.get('html') === '1' || query.get('view') === 'html';
}

function refuse(response: ServerResponse, status: 404 | 429 | 500): void {
  response.writeHead(status, { 'Cache-Control': 'no-store', 'Content-Length': 0 }).end();
}

function send(request: IncomingMessage, response: ServerResponse, type: string, text: string): void {
  const body = Buffer.from(text);
  response.writeHead(200, { 'Content-Type': type, 'Content-Length': body.length, ...NOT_STORED, ...HARDENED });
  response.end(request.method === 'HEAD' ? undefined : body);
}
