import { randomBytes } from 'node:crypto';
import type { TLSSocket } from 'node:tls';
import type { Middleware } from 'koa';
import { stateOf } from '../request-state.ts';

/**
 * Policy of every panel response, in addition to the headers its listener always sends. HSTS only when this panel
 * itself serves TLS, and only while allowed: behind a proxy, or with a temporary certificate, it would lock the
 * operator out for a year.
 */
export function securityHeaders(isHstsAllowed: boolean): Middleware {
  return async (koa, next) => {
    const nonce = randomBytes(16).toString('base64');
    stateOf(koa).nonce = nonce;
    koa.set({
      'Content-Security-Policy': [
        `default-src 'self'`,
        `script-src 'self' 'nonce-${nonce}'`,
        `style-src 'self' 'unsafe-inline'`,
        `img-src 'self' data: blob:`,
        `font-src 'self' data:`,
        `connect-src 'self' ws: wss:`,
        `object-src 'none'`,
        `frame-ancestors 'none'`,
        `base-uri 'self'`,
        `form-action 'self'`,
      ].join('; '),
    });
    if (isHstsAllowed && (koa.req.socket as Partial<TLSSocket>).encrypted === true)
      koa.set('Strict-Transport-Security', 'max-age=31536000; includeSubDomains');
    await next();
  };
}
