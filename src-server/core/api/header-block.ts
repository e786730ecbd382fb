import { decodeHuffman } from './huffman.ts';

/** Names that HTTP/2 knows by a number (RFC 7541, appendix A); those with a value stand for both. */
const METHOD_POST = 0x80 | 3;
const SCHEME_HTTP = 0x80 | 6;
const PATH = 4;
const AUTHORITY = 1;
const CONTENT_TYPE = 31;

const blocks = new Map<string, Buffer>();

/** Headers of a gRPC question. There are as many different ones as methods and deadlines, so each is made once. */
export function questionHeaders(path: string, timeoutMs: number): Buffer {
  const key = `${timeoutMs} ${path}`;
  let block = blocks.get(key);
  if (block === undefined) {
    block = Buffer.from([
      METHOD_POST,
      SCHEME_HTTP,
      ...number(PATH, 4),
      ...text(path),
      ...number(AUTHORITY, 4),
      ...text('core'),
      ...number(CONTENT_TYPE, 4),
      ...text('application/grpc'),
      0,
      ...text('te'),
      ...text('trailers'),
      0,
      ...text('grpc-timeout'),
      ...text(`${timeoutMs}m`),
    ]);
    blocks.set(key, block);
  }
  return block;
}

/** A number in the lower `bits` of a byte whose others are 0, and in as many more as it needs. */
function number(value: number, bits: number): number[] {
  const most = 2 ** bits - 1;
  if (value < most) return [value];
  const bytes = [most];
  let rest = value - most;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  return [...bytes, rest];
}

const text = (value: string): number[] => [...number(value.length, 7), ...Buffer.from(value, 'latin1')];

/**
 * Those of the wanted headers that a block holds. Only for peers that were told to remember no headers: one that refers to an
 * earlier block is not understood.
 * @throws {RangeError} when the bytes are no such block
 */
export function readHeaders(block: Uint8Array, wanted: readonly string[]): Map<string, string> {
  const found = new Map<string, string>();
  let at = 0;

  function readNumber(bits: number): number {
    const most = 2 ** bits - 1;
    let value = byteAt(at++) & most;
    if (value < most) return value;
    for (let factor = 1; ; factor *= 128) {
      const byte = byteAt(at++);
      value += (byte & 127) * factor;
      if (byte < 128) return value;
      if (factor > 2 ** 28) throw new RangeError('a number of a header is too large');
    }
  }
  function byteAt(index: number): number {
    const byte = block[index];
    if (byte === undefined) throw new RangeError('a header is cut off');
    return byte;
  }
  function readText(): string {
    const isCoded = byteAt(at) >= 128;
    const length = readNumber(7);
    const bytes = block.subarray(at, at + length);
    if (bytes.length < length) throw new RangeError('a header is cut off');
    at += length;
    return isCoded ? decodeHuffman(bytes) : Buffer.from(bytes).toString('latin1');
  }

  while (at < block.length) {
    const first = byteAt(at);
    if (first >= 128) {
      // A name with its value, both by number: none of them is ever asked for here.
      readNumber(7);
    } else if (first >= 32 && first < 64) {
      // The peer confirms how much it remembers.
      readNumber(5);
    } else {
      const index = readNumber(first >= 64 ? 6 : 4);
      const name = index === 0 ? readText() : '';
      const value = readText();
      if (wanted.includes(name)) found.set(name, value);
    }
  }
  return found;
}
