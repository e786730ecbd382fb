import { randomBytes } from 'node:crypto';
import type { Middleware } from 'koa';
import { isDatabaseAway } from '../contract/database-away.ts';
import type { Logger } from '../contract/logger.ts';
import { answerFailure } from './answers.ts';
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
        answerFailure(koa, 503, say, { code: 'store.away', params: {} });
        return;
      }
      const trouble = storeTrouble(error);
      log.error('http.unexpected', { reference: state.reference, method: koa.method, path, error });
      const { reference } = state;
      answerFailure(
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

/**
 * Key of the text for an error that means "the disk failed us", not "the panel has a bug"; null for any other error.
 */
function storeTrouble(error: unknown): 'store.full' | 'store.readOnly' | 'store.io' | null {
  const code: unknown = error instanceof Error ? (error as { code?: unknown }).code : undefined;
  if (typeof code !== 'string') return null;
  if (code.startsWith('SQLITE_FULL')) return 'store.full';
  if (code.startsWith('SQLITE_READONLY') || code.startsWith('SQLITE_CANTOPEN')) return 'store.readOnly';
  return code.startsWith('SQLITE_IOERR') ? 'store.io' : null;
}
