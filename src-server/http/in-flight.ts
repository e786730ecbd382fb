import type { Middleware } from 'koa';
import { answerFailure, speaker } from './answers.ts';
import { stateOf } from './request-state.ts';
import type { Translate } from './texts.ts';

/** At most `limit` web requests are worked on at a time; others are told to come back. The desktop window is never refused. */
export function limitInFlight(limit: number, translate: Translate): Middleware {
  let inFlight = 0;
  return async (koa, next) => {
    if (stateOf(koa).info.caller.kind === 'local') return next();
    if (inFlight >= limit) {
      koa.set('Retry-After', '1');
      return answerFailure(koa, 503, speaker(koa, translate)('request.busy'));
    }
    inFlight++;
    try {
      await next();
    } finally {
      inFlight--;
    }
    return undefined;
  };
}
