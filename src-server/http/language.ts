import type { Middleware } from 'koa';
import { LANGUAGE_COOKIE, readCookie } from './cookies.ts';
import { stateOf } from './request-state.ts';

/** Language of the answer's texts: the `lang` cookie, else `Accept-Language`, else English. */
export function chooseLanguage(available: readonly string[]): Middleware {
  const offered = ['en', ...available.filter((tag) => tag !== 'en')];
  const find = (tag: string) =>
    offered.find((one) => one.toLowerCase() === tag.toLowerCase()) ??
    offered.find((one) => one.split('-')[0]?.toLowerCase() === tag.split('-')[0]?.toLowerCase());
  return async (koa, next) => {
    const chosen = find(readCookie(koa.headers.cookie, LANGUAGE_COOKIE) ?? '');
    const accepted = chosen === undefined && koa.get('Accept-Language') !== '' ? koa.acceptsLanguages() : [];
    stateOf(koa).language = chosen ?? accepted.map(find).find((tag) => tag !== undefined) ?? 'en';
    await next();
  };
}
