import type { IncomingMessage, ServerResponse } from 'node:http';
import { isDatabaseAway } from '../../contract/database-away.ts';
import type { Logger } from '../../contract/logger.ts';
import { clientAddress, headerText, parseTrustedProxies } from '../guards/client-address.ts';
import { hostName } from '../guards/host-name.ts';
import { mailTokenOf, requestedSubscription, wantsPage, type SubPaths } from './requested-subscription.ts';
import { deliver, refuse, sendUnstored } from './sub-delivery.ts';
import { createMissLimit } from './sub-miss-limit.ts';
import { createOriginReader } from './sub-origin.ts';
import type { SubFormat, SubscriptionSource } from './sub-source.ts';

/** The settings that a request depends on, read for each request. */
export interface SubRequestSettings extends SubPaths {
  subDomain: string;
  trustedProxyCIDRs: string;
}

/** Answers subscribers' requests. Every request without a subscription looks alike: an empty 404. */
export function createSubRequests(deps: {
  source: SubscriptionSource;
  settings: () => SubRequestSettings;
  clock: () => number;
  log: Logger;
  /** Loads what a response needs, where another process owns settings and inbounds. */
  beforeEach?: () => Promise<void>;
}): (request: IncomingMessage, response: ServerResponse) => void {
  const { source, settings, log } = deps;
  const misses = createMissLimit(deps.clock);
  const originOf = createOriginReader(log);

  function refuseUnknown(request: IncomingMessage, response: ServerResponse): void {
    const trust = parseTrustedProxies(settings().trustedProxyCIDRs);
    const address = clientAddress(request.socket.remoteAddress, request.headers, trust);
    refuse(response, misses.isOver(address) ? 429 : 404);
  }

  /** A page to read, and a POST that changes: mail programs send one without having seen the page. */
  async function respondToMail(request: IncomingMessage, response: ServerResponse, token: string): Promise<void> {
    const query = new URLSearchParams((request.url ?? '').split('?')[1] ?? '');
    request.resume();
    const { mail } = source;
    if (mail === null) return refuseForNow(response);
    const { method = '' } = request;
    if (!['GET', 'HEAD', 'POST'].includes(method)) return refuse(response, 404);
    let isStopped: boolean | null;
    if (method === 'POST') {
      // A replica may not have the last write yet.
      isStopped = query.get('on') !== '1';
      if (!(await mail.stop(token, isStopped))) return refuseUnknown(request, response);
    } else isStopped = await mail.stopOf(token);
    if (isStopped === null) return refuseUnknown(request, response);
    const accepted = headerText(request.headers['accept-language']);
    const page = mail.page(isStopped, { language: query.get('lang') ?? '', accepted });
    response.setHeader('Content-Security-Policy', page.policy);
    return sendUnstored(request, response, 'text/html; charset=utf-8', page.html);
  }

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    await deps.beforeEach?.();
    const current = settings();
    const { subDomain } = current;
    if (subDomain !== '' && hostName(headerText(request.headers.host)) !== hostName(subDomain))
      return void response.writeHead(403, { 'Content-Length': 0 }).end();
    const token = mailTokenOf(request, current);
    if (token !== null) return respondToMail(request, response, token);
    const requested = requestedSubscription(request, current);
    if (requested === null) return refuse(response, 404);
    const { subId, format, query } = requested;
    const origin = originOf(request, current.trustedProxyCIDRs);
    if (format === 'raw' && query.get('format')?.toLowerCase() === 'info') {
      const found = await source.info(subId, origin);
      if (found === null) return refuseUnknown(request, response);
      return sendUnstored(request, response, 'application/json; charset=utf-8', JSON.stringify(found));
    }
    if (wantsPage(request, query)) {
      const page = await source.page(subId, origin, {
        language: query.get('lang') ?? '',
        accepted: headerText(request.headers['accept-language']),
        system: query.get('os') ?? '',
        agent: headerText(request.headers['user-agent']),
        code: query.get('code') ?? '',
        from: query.get('from') ?? '',
      });
      if (page === null) return refuseUnknown(request, response);
      response.setHeader('Content-Security-Policy', page.policy);
      return sendUnstored(request, response, 'text/html; charset=utf-8', page.html);
    }
    const agent = headerText(request.headers['user-agent']);
    const formats: readonly SubFormat[] = format === 'raw' ? [...source.formatsOf(agent), 'raw'] : [format];
    const ownUrl = `${origin.scheme}://${origin.host}${request.url ?? ''}`;
    for (const one of formats) {
      const found = await source.body(subId, one, origin, ownUrl);
      if (found === null) return refuseUnknown(request, response);
      if (found === 'empty') continue;
      return deliver(request, response, found, {
        format: one,
        isOwnPath: one === format,
        isDownload: query.get('view') === 'raw',
      });
    }
    refuse(response, 404);
  }

  return (request, response) => {
    respond(request, response).catch((error: unknown) => {
      const isAway = isDatabaseAway(error);
      if (!isAway) log.error('sub.failed', { error });
      if (response.headersSent) response.destroy();
      else if (isAway) refuseForNow(response);
      else refuse(response, 500);
    });
  };
}

/** Apps keep what they have, and try again. */
function refuseForNow(response: ServerResponse): void {
  response.setHeader('Retry-After', '30');
  refuse(response, 503);
}
