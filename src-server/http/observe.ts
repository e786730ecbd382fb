import { randomBytes } from 'node:crypto';
import type { Middleware } from 'koa';
import type { Logger } from '../contract/logger.ts';
import { answerFailure, speaker } from './answers.ts';
import { stateOf } from './request-state.ts';
import { storeTrouble } from './store-trouble.ts';
import type { Translate } from './texts.ts';

/** Outermost: one debug line per request, and the boundary where a bug becomes a logged reference. */
export function observe({
  log,
  clock,
  translate,
}: {
  log: Logger;
  clock: () => number;
  translate: Translate;
}): Middleware {
  return async (koa, next) => {
    const state = stateOf(koa);
    state.reference = randomBytes(6).toString('hex');
    const startedAtMs = clock();
    const path = loggable(koa.path);
    try {
      await next();
    } catch (error) {
      const say = speaker(koa, translate);
      const trouble = storeTrouble(error);
      log.error('http.unexpected', { reference: state.reference, method: koa.method, path, error });
      answerFailure(
        koa,
        500,
        trouble === null ? say('request.unexpected', { reference: state.reference }) : say(trouble),
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

/** Path without what signs somebody in. */
function loggable(path: string): string {
  return path.replace(/(\/setup\/).*/, '$1…');
}
