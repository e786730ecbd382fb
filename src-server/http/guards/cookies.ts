import type { Context } from 'koa';
import { stateOf } from '../request-state.ts';

/** Holds the session id of a signed-in browser. */
export const SESSION_COOKIE = 'panel_session';
/** Holds the signed CSRF token of a visitor who is not signed in. */
export const VISITOR_COOKIE = 'panel_csrf';

/** Values longer than this were not set by us. */
const MAX_VALUE_LENGTH = 512;

/** First cookie of this name; browsers send the one with the most specific path first. Null when absent or malformed. */
export function readCookie(header: string | undefined, name: string): string | null {
  for (const part of (header ?? '').split(';')) {
    const [key, value = ''] = part.split('=', 2);
    if (key?.trim() !== name) continue;
    const text = value.trim();
    return text !== '' && text.length <= MAX_VALUE_LENGTH && /^[\w.~-]+$/.test(text) ? text : null;
  }
  return null;
}

/** Sets one of our cookies: invisible to scripts, below the base path, `Secure` when the browser came over TLS. */
export function setCookie(koa: Context, name: string, value: string, maxAgeSec: number): void {
  append(koa, name, value, stateOf(koa).basePath, maxAgeSec);
}

/** Removes a cookie here and at `/`, where an older base path may have left one that shadows ours. */
export function clearCookie(koa: Context, name: string): void {
  for (const path of new Set([stateOf(koa).basePath, '/'])) append(koa, name, '', path, 0);
}

function append(koa: Context, name: string, value: string, path: string, maxAgeSec: number): void {
  const secure = stateOf(koa).info.origin.scheme === 'https' ? '; Secure' : '';
  const expires = maxAgeSec === 0 ? '; Expires=Thu, 01 Jan 1970 00:00:00 GMT' : '';
  koa.append(
    'Set-Cookie',
    `${name}=${value}; Path=${path}; Max-Age=${maxAgeSec}${expires}; HttpOnly; SameSite=Lax${secure}`,
  );
}
