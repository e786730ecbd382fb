import type { IncomingMessage } from 'node:http';
import type { Middleware } from 'koa';
import type { Logger } from '../../contract/logger.ts';
import { bearerToken, isApiPath } from './access.ts';
import { respondEmpty } from '../responses.ts';
import { isOwnHost } from '../describe-request.ts';
import { stateOf } from '../request-state.ts';

/** How many refused names are remembered as logged, so that a scanner does not fill the log. */
const MAX_LOGGED_NAMES = 100;

/**
 * Refuses requests under names that are not this panel's ({@link isOwnHost}) with an empty 403: a configured domain is
 * exact, and without one a foreign name may be a page rebound to this address. API calls with a bearer token pass the
 * second rule: other panels use whatever name they were given, and such a page has no valid token.
 */
export function checkHost(options: {
  webDomain: string;
  certificateCovers: (name: string) => boolean;
  /** Whether it came through a trunk, where the name means nothing. */
  isThroughTrunk: (request: IncomingMessage) => boolean;
  log: Logger;
}): Middleware {
  const { webDomain, certificateCovers, isThroughTrunk, log } = options;
  const logged = new Set<string>();
  return async (koa, next) => {
    const { info, facts } = stateOf(koa);
    const isTokenCall = webDomain === '' && isApiPath(koa.path) && bearerToken(koa) !== null;
    const isKnown = info.caller.kind === 'local' || isThroughTrunk(koa.req);
    if (isKnown || isTokenCall || isOwnHost(facts, webDomain, certificateCovers)) return next();
    const name = facts.rawHostName ?? '';
    if (!logged.has(name) && logged.size < MAX_LOGGED_NAMES) {
      logged.add(name);
      log.warn('http.hostRefused', {
        host: name,
        remedy:
          webDomain === ''
            ? 'set webDomain to this name and restart, or open the panel by address'
            : `open the panel as ${webDomain}, or change webDomain and restart`,
      });
    }
    return respondEmpty(koa, 403);
  };
}
