import type { Middleware } from 'koa';
import { respondEmpty, respondFailure } from '../responses.ts';
import { isApiPath } from '../guards/access.ts';
import { stateOf } from '../request-state.ts';
import type Router from '@koa/router';
import type { Say } from '../texts.ts';

/** Shown at the base path while no web interface is installed: no scripts, no claims. */
function page(basePath: string): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Panel</title></head>
<body>
<h1>The panel is running</h1>
<p>No web interface is installed here. The API answers below <code>${basePath}panel/api/</code> to signed-in callers and API tokens.</p>
</body>
</html>
`;
}

/** The last handler: the page at the base path, the methods of a known endpoint, or "nothing here". */
export function respondToRest(router: Router, say: Say): Middleware {
  return async (koa) => {
    const isRead = koa.method === 'GET' || koa.method === 'HEAD';
    if (koa.path === '/' && isRead) {
      koa.type = 'html';
      koa.body = page(stateOf(koa).basePath);
      return;
    }
    if (!isApiPath(koa.path)) return respondEmpty(koa, 404);
    const methods = [...new Set(router.match(koa.path, koa.method).path.flatMap((layer) => layer.methods))].sort();
    if (methods.length === 0) return respondFailure(koa, 404, say, { code: 'request.unknown', params: {} });
    koa.set('Allow', methods.join(', '));
    if (koa.method === 'OPTIONS') respondEmpty(koa, 204);
    else respondFailure(koa, 405, say, { code: 'request.wrongMethod', params: { methods: methods.join(', ') } });
    return undefined;
  };
}
