import type { Context } from 'koa';
import type { Envelope, Refusal } from '../contract/envelope.ts';
import type { Say } from './texts.ts';

/** A status and nothing else: refusals that must not tell what lives here. */
export function answerEmpty(koa: Context, status: number): void {
  koa.body = null;
  koa.status = status;
  koa.set('Cache-Control', 'no-store');
}

/** A failure envelope with a status of its own; domain failures keep 200 and do not come here. */
export function answerFailure(koa: Context, status: number, say: Say, refusal: Refusal): void {
  koa.status = status;
  koa.body = { success: false, msg: say(refusal.code, refusal.params), obj: null, error: refusal } satisfies Envelope;
  koa.set('Cache-Control', 'no-store');
}

/** What an XHR of our own pages, and of many API clients, sends. */
export function isXhr(koa: Context): boolean {
  return koa.get('X-Requested-With') === 'XMLHttpRequest';
}
