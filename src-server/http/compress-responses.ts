import type { Middleware } from 'koa';
import compress from 'koa-compress';
import { Stream } from 'node:stream';
import { stateOf } from './request-state.ts';

/** Compresses JSON and text responses. Leaves alone files and streams, and everything that stays on this machine. */
export function compressResponses(): Middleware {
  const compressed = compress({ gzip: { level: 5 }, deflate: false, zstd: false });
  return (koa, next) =>
    compressed(koa, async () => {
      await next();
      const isOurs = Buffer.isBuffer(koa.body) || koa.body instanceof Stream;
      if (isOurs || stateOf(koa).info.caller.kind === 'local') koa.compress = false;
    });
}
