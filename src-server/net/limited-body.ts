import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { Transform, pipeline } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { DialError } from './dial-error.ts';

/** An answer's body, decompressed, that fails at the first byte too many or when it stalls. */
export function limitedBody(
  answer: IncomingMessage,
  { host, maxBytes, stallMs = 0 }: { host: string; maxBytes: number; stallMs?: number },
): Readable {
  let total = 0;
  const limit = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      total += chunk.length;
      if (total > maxBytes) done(new DialError('tooLarge', `${host} answers with more than ${maxBytes} bytes`));
      else done(null, chunk);
    },
  });
  if (stallMs > 0)
    answer.setTimeout(stallMs, () => {
      limit.destroy(new DialError('timeout', `${host} has sent nothing for ${stallMs / 1000} s`));
    });
  // Both ends carry the failure onward; the reader of `limit` is the one who hears it.
  const isEnded = () => undefined;
  const unpack = decompressor(answer.headers['content-encoding']);
  if (unpack) pipeline(answer, unpack, limit, isEnded);
  else pipeline(answer, limit, isEnded);
  return limit;
}

function decompressor(encoding: string | undefined): Transform | undefined {
  if (encoding === 'gzip' || encoding === 'x-gzip') return createGunzip();
  if (encoding === 'deflate') return createInflate();
  return encoding === 'br' ? createBrotliDecompress() : undefined;
}
