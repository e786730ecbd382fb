import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Middleware } from 'koa';
import { Stream } from 'node:stream';
import { stateOf } from './request-state.ts';

/** Smaller answers travel in one packet anyway. */
const MIN_BYTES = 1024;

const gzipAsync = promisify(gzip);
const brotliAsync = promisify(brotliCompress);

/** Compresses JSON and text answers, off the main thread. Files and streams are left as their handlers made them. */
export function compressJson(): Middleware {
  return async (koa, next) => {
    await next();
    const body: unknown = koa.body;
    const isText = typeof body === 'string';
    if (!isText && (typeof body !== 'object' || body === null || Buffer.isBuffer(body) || body instanceof Stream))
      return;
    if (koa.res.hasHeader('Content-Encoding') || stateOf(koa).info.caller.kind === 'local') return;
    koa.vary('Accept-Encoding');
    const text = isText ? body : JSON.stringify(body);
    // The text is set back even when it goes out as it is: it need not be made a second time.
    koa.body = text;
    if (koa.method === 'HEAD' || text.length < MIN_BYTES) return;
    const encoding = koa.acceptsEncodings('br', 'gzip', 'identity');
    if (encoding !== 'br' && encoding !== 'gzip') return;
    const plain = Buffer.from(text);
    koa.body =
      encoding === 'br'
        ? await brotliAsync(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } })
        : await gzipAsync(plain, { level: 5 });
    koa.set('Content-Encoding', encoding);
  };
}
