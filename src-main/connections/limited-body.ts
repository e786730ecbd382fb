import { Readable } from 'node:stream';

const MAX_BYTES = 1024 * 1024;

/** The body of a short response; a panel that floods does not fill the memory. @throws {Error} */
export async function* limitedBody(body: Readable | Buffer): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const piece of body instanceof Readable ? body : [body]) {
    bytes += (piece as Buffer).length;
    if (bytes > MAX_BYTES) throw new Error('it answers more than it should');
    yield piece as Buffer;
  }
}
