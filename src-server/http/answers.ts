import type { Context } from 'koa';
import { stateOf } from './request-state.ts';
import type { Translate } from './texts.ts';

/** A status and nothing else: refusals that must not tell what lives here. */
export function answerEmpty(koa: Context, status: number): void {
  koa.body = null;
  koa.status = status;
  koa.set('Cache-Control', 'no-store');
}

/** A failure envelope with a status of its own; domain failures keep 200 and do not come here. */
export function answerFailure(koa: Context, status: number, msg: string): void {
  koa.status = status;
  koa.body = { success: false, msg, obj: null };
  koa.set('Cache-Control', 'no-store');
}

/** Texts in the language of a request, also before its language is known. */
export function speaker(koa: Context, translate: Translate) {
  return (key: string, params?: Readonly<Record<string, string | number>>): string =>
    translate(stateOf(koa).language ?? 'en', key, params);
}

/** What an XHR of our own pages, and of many API clients, sends. */
export function isXhr(koa: Context): boolean {
  return koa.get('X-Requested-With') === 'XMLHttpRequest';
}
