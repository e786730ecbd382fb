import type { Middleware } from 'koa';
import { respondEmpty } from './responses.ts';
import { stateOf } from './request-state.ts';

/** The stored path with a slash at both ends, whatever older rows or the environment contained. */
export function normaliseBasePath(path: string): string {
  const inner = path
    .split('/')
    .filter((part) => part !== '')
    .join('/');
  return inner === '' ? '/' : `/${inner}/`;
}

/** Serves only paths below the base path, and hides the prefix from everything behind. */
export function belowBasePath(basePath: string): Middleware {
  return async (koa, next) => {
    stateOf(koa).basePath = basePath;
    if (koa.path.startsWith(basePath)) {
      koa.path = koa.path.slice(basePath.length - 1);
      return next();
    }
    // A caller that knows the whole prefix but not its last slash is redirected.
    if (`${koa.path}/` === basePath && (koa.method === 'GET' || koa.method === 'HEAD')) {
      koa.status = 307;
      koa.redirect(basePath);
    } else respondEmpty(koa, 404);
    return undefined;
  };
}
