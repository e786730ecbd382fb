import type { Middleware } from 'koa';
import { respondFailure } from '../responses.ts';
import { stateOf } from '../request-state.ts';
import type { Say } from '../texts.ts';

/** How many web requests are processed at a time. */
export interface InFlightLimits {
  all: number;
  /** Of these, POSTs of visitors: the only ones a stranger can prolong, by sending slowly. */
  visitorPosts: number;
  visitorPostsPerAddress: number;
}

/**
 * Tells requests beyond the limits to retry. Strangers have a small share of their own, so that a flood of sign-ins
 * leaves room for signed-in callers and pages; the desktop window is never refused.
 */
export function limitInFlight(limits: InFlightLimits, say: Say): Middleware {
  const postsByAddress = new Map<string, number>();
  let all = 0;
  let posts = 0;
  return async (koa, next) => {
    const { caller, address } = stateOf(koa).info;
    if (caller.kind === 'local') return next();
    const isVisitorPost = caller.kind === 'anonymous' && koa.method !== 'GET' && koa.method !== 'HEAD';
    const ofAddress = postsByAddress.get(address) ?? 0;
    const isCrowded =
      all >= limits.all ||
      (isVisitorPost && (posts >= limits.visitorPosts || ofAddress >= limits.visitorPostsPerAddress));
    if (isCrowded) {
      koa.set('Retry-After', '1');
      return respondFailure(koa, 503, say, { code: 'request.busy', params: {} });
    }
    all++;
    if (isVisitorPost) {
      posts++;
      postsByAddress.set(address, ofAddress + 1);
    }
    try {
      await next();
    } finally {
      all--;
      if (isVisitorPost) {
        posts--;
        const left = (postsByAddress.get(address) ?? 1) - 1;
        if (left === 0) postsByAddress.delete(address);
        else postsByAddress.set(address, left);
      }
    }
    return undefined;
  };
}
