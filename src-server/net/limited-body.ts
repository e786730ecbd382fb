import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { Transform, pipeline } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { DialError } from './dial-error.ts';

/** An answer's whole body, decompressed. @throws {DialError} `tooLarge`, at the first byte too many */
export async function wholeBody(answer: IncomingMessage, limits: { host: string; maxBytes: number }): Promise<Buffer> {
  // Most answers are short and plain: they are read as they come, for a fraction of what streams in between cost.
  if (decompressorName(answer) === '') return plainBody(answer, limits);
  const chunks: Buffer[] = [];
  for await (const chunk of limitedBody(answer, limits)) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

function plainBody(answer: IncomingMessage, { host, maxBytes }: { host: string; maxBytes: number }): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let total = 0;
    answer.on('data', (chunk: Buffer) => {
      total += chunk.length;
      if (total > maxBytes) answer.destroy(tooLarge(host, maxBytes));
      else chunks.push(chunk);
    });
    answer.once('end', () => resolve(Buffer.concat(chunks)));
    answer.once('error', reject);
    answer.once('close', () => reject(new DialError('connect', `${host} ended its answer early`)));
  });
}

const tooLarge = (host: string, maxBytes: number): DialError =>
  new DialError('tooLarge', `${host} answers with more than ${maxBytes} bytes`);

/** An answer's body, decompressed, that fails at the first byte too many or when it stalls. */
export function limitedBody(
  answer: IncomingMessage,
  { host, maxBytes, stallMs = 0 }: { host: string; maxBytes: number; stallMs?: number },
): Readable {
  let total = 0;
  const limit = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      total += chunk.length;
      if (total > maxBytes) done(tooLarge(host, maxBytes));
      else done(null, chunk);
    },
  });
  if (stallMs > 0)
    answer.setTimeout(stallMs, () => {
      limit.destroy(new DialError('timeout', `${host} has sent nothing for ${stallMs / 1000} s`));
    });
  // Both ends carry the failure onward; the reader of `limit` is the one who hears it.
  const isEnded = () => undefined;
  const unpack = decompressor(decompressorName(answer));
  if (unpack) pipeline(answer, unpack, limit, isEnded);
  else pipeline(answer, limit, isEnded);
  return limit;
}

/** What has to be undone; empty = nothing. */
function decompressorName(answer: IncomingMessage): string {
  const encoding = answer.headers['content-encoding'] ?? '';
  return ['gzip', 'x-gzip', 'deflate', 'br'].includes(encoding) ? encoding : '';
}

function decompressor(encoding: string): Transform | undefined {
  if (encoding === 'gzip' || encoding === 'x-gzip') return createGunzip();
  if (encoding === 'deflate') return createInflate();
  return encoding === 'br' ? createBrotliDecompress() : undefined;
}
