import { randomBytes } from 'node:crypto';
import type { Middleware } from 'koa';
import { isDatabaseAway } from '../contract/database-away.ts';
import type { Logger } from '../contract/logger.ts';
import { storeTrouble } from '../store/store-trouble.ts';
import { respondFailure } from './responses.ts';
import { stateOf } from './request-state.ts';
import type { Say } from './texts.ts';

/** Outermost: one debug line per request, and the boundary where a bug becomes a logged reference. */
export function observe({ log, clock, say }: { log: Logger; clock: () => number; say: Say }): Middleware {
  return async (koa, next) => {
    const state = stateOf(koa);
    state.reference = randomBytes(6).toString('hex');
    const startedAtMs = clock();
    const path = loggable(koa.path);
    try {
      await next();
    } catch (error) {
      if (isDatabaseAway(error)) {
        // The store has already logged this; a line for each request would drown everything else.
        log.debug('http.databaseAway', { reference: state.reference, method: koa.method, path, error });
        koa.set('Retry-After', '2');
        koa.set('X-Error-Code', 'store.away');
        respondFailure(koa, 503, say, { code: 'store.away', params: {} });
        return;
      }
      const trouble = storeTrouble(error);
      log.error('http.unexpected', { reference: state.reference, method: koa.method, path, error });
      const { reference } = state;
      respondFailure(
        koa,
        500,
        say,
        trouble === null ? { code: 'request.unexpected', params: { reference } } : { code: trouble, params: {} },
      );
    }
    log.debug('http.request', {
      reference: state.reference,
      method: koa.method,
      path,
      status: koa.status,
      ms: clock() - startedAtMs,
      address: state.info?.address,
      caller: state.info?.caller.kind,
    });
  };
}

/** Path without sign-in secrets. */
function loggable(path: string): string {
  return path.replace(/(\/setup\/).*/, '$1…');
}
