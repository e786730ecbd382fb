import type { Context, Middleware } from 'koa';
import { isXhr, respondEmpty, respondFailure } from '../responses.ts';
import type { Caller } from './caller.ts';
import { readCookie, SESSION_COOKIE } from './cookies.ts';
import { canReadZstd } from '../body/read-body.ts';
import { stateOf, ANONYMOUS, type Authentication } from '../request-state.ts';
import type { Say } from '../texts.ts';

/**
 * Authenticates the caller. Certificates and tokens count below `/panel/api` only; the first valid proof wins. The
 * private socket proves its owner, unless a token is presented there: then that token is tried.
 */
export function identify(auth: Authentication, certificateOf: (koa: Context) => string | null): Middleware {
  return async (koa, next) => {
    const state = stateOf(koa);
    if (state.info.caller.kind !== 'local' || bearerToken(koa) !== null) {
      const cookie = readCookie(koa.headers.cookie, SESSION_COOKIE);
      state.session = cookie === null ? null : await auth.session(cookie);
      state.info.caller =
        (isApiPath(koa.path) ? await peerCaller(koa, auth, certificateOf) : null) ?? sessionCaller(koa);
    }
    await next();
  };
}

async function peerCaller(
  koa: Context,
  auth: Authentication,
  certificateOf: (koa: Context) => string | null,
): Promise<Caller | null> {
  const fingerprint = certificateOf(koa);
  if (fingerprint !== null) return { kind: 'certificate', fingerprint };
  const presented = bearerToken(koa);
  const token = presented === null ? null : await auth.bearer(presented);
  return token === null ? null : { kind: 'token', ...token };
}

function sessionCaller(koa: Context): Caller {
  const { session } = stateOf(koa);
  if (session === null) return ANONYMOUS;
  return {
    kind: 'session',
    adminId: session.adminId,
    username: session.username,
    sessionIdHash: session.idHash,
  };
}

/** Token after `Bearer `, letter case and single space exact; null when there is none. */
export function bearerToken(koa: Context): string | null {
  return /^Bearer (\S{1,512})$/.exec(koa.get('Authorization'))?.[1] ?? null;
}

export function isApiPath(path: string): boolean {
  return path === '/panel/api' || path.startsWith('/panel/api/');
}

/** Refuses a stranger without revealing whether anything exists at this path. */
export function refuseStranger(koa: Context): void {
  respondEmpty(koa, isXhr(koa) ? 401 : 404);
}

/** Deny by default: nothing below `/panel` is reachable without a sign-in, whether it exists or not. */
export function denyStrangers(say: Say): Middleware {
  return async (koa, next) => {
    const isStranger = stateOf(koa).info.caller.kind === 'anonymous';
    if (!isStranger && isApiPath(koa.path)) {
      koa.set('Cache-Control', 'no-store');
      // Another panel compresses what it sends here once it has seen this header.
      if (canReadZstd) koa.set('X-Node-Caps', 'zstd');
    }
    const isPanel = koa.path === '/panel' || koa.path.startsWith('/panel/');
    if (!isPanel || !isStranger) return next();
    if (isApiPath(koa.path)) refuseStranger(koa);
    else if (isXhr(koa)) respondFailure(koa, 401, say, { code: 'request.sessionExpired', params: {} });
    else {
      koa.redirect(stateOf(koa).basePath);
      koa.status = 307;
      koa.set('Cache-Control', 'no-store');
    }
    return undefined;
  };
}

/** Redirects a signed-in browser from the sign-in page to the panel. */
export function sendHome(): Middleware {
  return async (koa, next) => {
    if (koa.path !== '/' || koa.method !== 'GET' || stateOf(koa).info.caller.kind === 'anonymous') return next();
    koa.redirect(`${stateOf(koa).basePath}panel/`);
    koa.status = 307;
    koa.set('Cache-Control', 'no-store');
    return undefined;
  };
}
