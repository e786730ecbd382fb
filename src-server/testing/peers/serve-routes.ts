import { Router } from '@koa/router';
import { once } from 'node:events';
import Koa from 'koa';
import type { Envelope } from '../../contract/envelope.ts';
import type { BindContext, Mounted } from '../../http/bind.ts';
import type { Caller, RequestInfo } from '../../http/guards/caller.ts';
import { createSay, type Texts } from '../../http/texts.ts';
import { originOf, shut } from './local-server.ts';

export interface ServedRoutes {
  origin: string;
  mounted: Mounted;
  get(path: string): Promise<Envelope>;
  /** An object is sent as JSON, URLSearchParams as a form. */
  post(path: string, body?: object | URLSearchParams, headers?: Record<string, string>): Promise<Envelope>;
  close(): Promise<void>;
}

/**
 * Serves bound routes on 127.0.0.1 as an authenticated caller would reach them.
 * @param before sees every request first: a gate that is not open to everyone
 */
export async function serveRoutes(
  mount: (ctx: BindContext) => void,
  texts: Texts,
  caller: Caller = { kind: 'token', tokenId: 1, name: 'test' },
  before?: Koa.Middleware,
): Promise<ServedRoutes> {
  const router = new Router();
  const mounted: Mounted = { endpoints: [] };
  mount({ router, mounted, say: createSay(texts) });
  const koa = new Koa();
  if (before !== undefined) koa.use(before);
  koa.use(async (context, next) => {
    const info: RequestInfo = {
      caller,
      address: '127.0.0.1',
      origin: { scheme: 'http', host: context.host },
      userAgent: 'test',
      requestId: context.get('X-Request-Id'),
    };
    Object.assign(context.state, { info, language: 'en' });
    await next();
  });
  koa.use(router.routes());
  const server = koa.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = originOf(server);
  const read = async (response: Response): Promise<Envelope> => (await response.json()) as Envelope;
  return {
    origin,
    mounted,
    get: async (path) => read(await fetch(origin + path)),
    async post(path, body = {}, headers = {}) {
      const isForm = body instanceof URLSearchParams;
      return read(
        await fetch(origin + path, {
          method: 'POST',
          headers: isForm ? headers : { 'Content-Type': 'application/json', ...headers },
          body: isForm ? body : JSON.stringify(body),
        }),
      );
    },
    async close() {
      await shut(server);
    },
  };
}
