/**
 * Bits of the code of each byte in headers (RFC 7541, appendix B), and of the mark of an end behind them. The codes follow
 * from it: shorter ones come first, those of one length in the order of their bytes.
 */
// prettier-ignore
const CODE_BITS = [
  13, 23, 28, 28, 28, 28, 28, 28, 28, 24, 30, 28, 28, 30, 28, 28, 28, 28, 28, 28, 28, 28, 30, 28, 28, 28, 28, 28, 28, 28, 28, 28,
  6, 10, 10, 12, 13, 6, 8, 11, 10, 10, 8, 11, 8, 6, 6, 6, 5, 5, 5, 6, 6, 6, 6, 6, 6, 6, 7, 8, 15, 6, 12, 10,
  13, 6, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 8, 7, 8, 13, 19, 13, 14, 6,
  15, 5, 6, 5, 6, 5, 6, 6, 6, 5, 7, 7, 6, 6, 6, 5, 6, 7, 6, 5, 5, 6, 7, 7, 7, 7, 7, 15, 11, 14, 13, 28,
  20, 22, 20, 20, 22, 22, 22, 23, 22, 23, 23, 23, 23, 23, 24, 23, 24, 24, 22, 23, 24, 23, 23, 23, 23, 21, 22, 23, 22, 23, 23, 24,
  22, 21, 20, 22, 22, 23, 23, 21, 23, 22, 22, 24, 21, 22, 23, 23, 21, 21, 22, 21, 23, 22, 23, 23, 20, 22, 22, 22, 23, 22, 22, 23,
  26, 26, 20, 19, 22, 23, 22, 25, 26, 26, 26, 27, 27, 26, 24, 25, 19, 21, 26, 27, 27, 26, 27, 24, 21, 21, 26, 26, 28, 27, 27, 27,
  20, 24, 20, 21, 22, 21, 21, 23, 22, 22, 25, 25, 24, 24, 26, 23, 26, 27, 26, 26, 27, 27, 27, 27, 27, 28, 27, 27, 27, 27, 27, 26,
  30,
];
const END = 256;
const LONGEST = 30;

/** By length: the first code, how many there are, and where their symbols begin in {@link SYMBOLS}. */
const FIRST = new Float64Array(LONGEST + 1);
const COUNT = new Int32Array(LONGEST + 1);
const OFFSET = new Int32Array(LONGEST + 1);
const SYMBOLS: number[] = [];
for (let bits = 1, code = 0; bits <= LONGEST; bits += 1, code *= 2) {
  FIRST[bits] = code;
  OFFSET[bits] = SYMBOLS.length;
  for (const [symbol, length] of CODE_BITS.entries()) if (length === bits) SYMBOLS.push(symbol);
  COUNT[bits] = SYMBOLS.length - OFFSET[bits]!;
  code += COUNT[bits]!;
}

/**
 * Text of a coded string, a character per byte.
 * @throws {RangeError} when the bytes are no such string
 */
export function decodeHuffman(bytes: Uint8Array): string {
  let text = '';
  let code = 0;
  let bits = 0;
  for (const byte of bytes) {
    for (let bit = 7; bit >= 0; bit -= 1) {
      code = code * 2 + ((byte >> bit) & 1);
      bits += 1;
      if (bits > LONGEST) throw new RangeError('a code of a header is too long');
      const at = code - FIRST[bits]!;
      if (at < 0 || at >= COUNT[bits]!) continue;
      const symbol = SYMBOLS[OFFSET[bits]! + at]!;
      if (symbol === END) throw new RangeError('a header holds the mark of its end');
      text += String.fromCharCode(symbol);
      code = 0;
      bits = 0;
    }
  }
  // What is left fills the last byte up with ones.
  if (bits > 7 || code !== 2 ** bits - 1) throw new RangeError('a header ends within a code');
  return text;
}
