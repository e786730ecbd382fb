import { timingSafeEqual } from 'node:crypto';
import type { Context, Middleware } from 'koa';
import { respondEmpty } from '../responses.ts';
import { readCookie, VISITOR_COOKIE } from './cookies.ts';
import { isOwnOrigin } from '../describe-request.ts';
import { stateOf, type Authentication } from '../request-state.ts';

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);
/**
 * The secret in these paths is the proof: the single-use ticket of a page that must work without scripts, and so
 * without our header, and the secret of the API server that delivers the bot's messages.
 */
const PROVEN_BY_PATH = /^\/(setup|bot)\/./;

/**
 * Unsafe requests of browsers: the `Origin`, when sent, must be ours, and `X-CSRF-Token` must match the session, or the
 * visitor's signed cookie before sign-in. Tokens, client certificates and the private socket are no browser's ambient
 * credentials and need no CSRF token; a certificate may be in a browser, so its `Origin` is still checked.
 */
export function guardUnsafe(auth: Authentication): Middleware {
  return async (koa, next) => {
    const { kind } = stateOf(koa).info.caller;
    if (SAFE_METHODS.has(koa.method) || kind === 'token' || kind === 'local' || PROVEN_BY_PATH.test(koa.path))
      return next();
    if (!isOwnOrigin(koa.req, stateOf(koa).facts)) return respondEmpty(koa, 403);
    if (kind !== 'certificate' && !matches(koa.get('X-CSRF-Token'), await expectedToken(koa, auth)))
      return respondEmpty(koa, 403);
    return next();
  };
}

async function expectedToken(koa: Context, auth: Authentication): Promise<string | null> {
  const { session } = stateOf(koa);
  if (session !== null) return session.csrfToken;
  const cookie = readCookie(koa.headers.cookie, VISITOR_COOKIE);
  return cookie === null ? null : auth.visitorCsrfToken(cookie);
}

function matches(sent: string, expected: string | null): boolean {
  if (expected === null || expected === '') return false;
  const a = Buffer.from(sent);
  const b = Buffer.from(expected);
  return a.length === b.length && timingSafeEqual(a, b);
}
