import { pipeline, Transform, type Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { DialError } from './dial-error.ts';
import { dialError } from './send-request.ts';

const DECOMPRESSORS: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/**
 * The whole body of a response, decompressed.
 * @throws {DialError} as {@link limitedBody}, also at the first byte too many
 */
export async function wholeBody(body: Readable, limits: Parameters<typeof limitedBody>[1]): Promise<Buffer> {
  const { host, maxBytes, encoding } = limits;
  // An uncompressed body needs no stream in between.
  const isPlain = DECOMPRESSORS[encoding] === undefined;
  const chunks: Buffer[] = [];
  let total = 0;
  try {
    for await (const chunk of isPlain ? body : limitedBody(body, limits)) {
      total += (chunk as Buffer).length;
      if (total > maxBytes) throw tooLarge(host, maxBytes);
      chunks.push(chunk as Buffer);
    }
  } catch (error) {
    throw dialError(host, error as Error);
  }
  return Buffer.concat(chunks, total);
}

const tooLarge = (host: string, maxBytes: number): DialError =>
  new DialError('tooLarge', `${host} answers with more than ${maxBytes} bytes`);

/**
 * A response body, decompressed, that fails with a {@link DialError}, at the first byte too many or as the connection
 * does.
 */
export function limitedBody(
  body: Readable,
  { host, maxBytes, encoding }: { host: string; maxBytes: number; encoding: string },
): Readable {
  let total = 0;
  const limit = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      total += chunk.length;
      if (total > maxBytes) done(tooLarge(host, maxBytes));
      else done(null, chunk);
    },
    destroy: (error, done) => done(error === null ? null : dialError(host, error)),
  });
  const unpack = DECOMPRESSORS[encoding]?.();
  // Both ends pass the failure on; the reader of `limit` receives it.
  const isEnded = () => undefined;
  if (unpack) pipeline(body, unpack, limit, isEnded);
  else pipeline(body, limit, isEnded);
  return limit;
}
