import type { Context } from 'koa';
import type { Envelope, Refusal } from '../contract/envelope.ts';
import type { Say } from './texts.ts';

/** Sends a bare status: for refusals that must not reveal what exists here. */
export function respondEmpty(koa: Context, status: number): void {
  koa.body = null;
  koa.status = status;
  koa.set('Cache-Control', 'no-store');
}

/** A failure envelope with its own status; domain failures keep 200 and do not come here. */
export function respondFailure(koa: Context, status: number, say: Say, refusal: Refusal): void {
  koa.status = status;
  koa.body = { success: false, msg: say(refusal.code, refusal.params), obj: null, error: refusal } satisfies Envelope;
  koa.set('Cache-Control', 'no-store');
}

/** What an XHR of our own pages, and of many API clients, sends. */
export function isXhr(koa: Context): boolean {
  return koa.get('X-Requested-With') === 'XMLHttpRequest';
}
