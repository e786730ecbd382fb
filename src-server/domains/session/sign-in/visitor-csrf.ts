import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** Visitors' pages fetch a new token after this time. */
export const VISITOR_TOKEN_MS = 60 * 60_000;

/**
 * CSRF tokens for browsers that are not signed in. Nothing is stored: the cookie carries the token, its time and a
 * signature under the panel's secret, so strangers cannot fill the database, and a cookie planted by another site has
 * no valid signature.
 */
export function createVisitorCsrf(options: { secret: () => Promise<string>; clock: () => number }) {
  const { secret, clock } = options;
  const sign = async (token: string, issuedAt: string) =>
    createHmac('sha256', await secret())
      .update(`visitor-csrf.${token}.${issuedAt}`)
      .digest();

  return {
    async issue(): Promise<{ cookie: string; token: string }> {
      const token = randomBytes(32).toString('base64url');
      const issuedAt = clock().toString(36);
      const signature = await sign(token, issuedAt);
      return { token, cookie: `${token}.${issuedAt}.${signature.toString('base64url')}` };
    },
    /** Token from a cookie that is ours and not too old; null for any other. */
    async read(cookie: string): Promise<string | null> {
      const [token = '', issuedAt = '', signature = ''] = cookie.split('.');
      const ageMs = clock() - Number.parseInt(issuedAt, 36);
      if (!(ageMs >= 0 && ageMs < VISITOR_TOKEN_MS)) return null;
      const expected = await sign(token, issuedAt);
      const sent = Buffer.from(signature, 'base64url');
      return sent.length === expected.length && timingSafeEqual(sent, expected) ? token : null;
    },
  };
}
