import { crc32, deflateSync } from 'node:zlib';
import { encode } from 'uqr';

/** Capacity in bytes of the largest code at correction level M. */
const MAX_BYTES = 2_331;
/** Width in pixels of a code that a phone can scan off another screen, and of one with many modules. */
const [WIDE, WIDEST] = [210, 440];
/** Most modules across at which the small size can be scanned. */
const SMALL = 61;

/** Whether a text fits into a code. */
export const fitsCode = (text: string): boolean => Buffer.byteLength(text) <= MAX_BYTES;

/** A code as a small picture. null = the text is too long. */
export function qrImage(text: string): string | null {
  if (!fitsCode(text)) return null;
  const { data, size } = encode(text, { ecc: 'M', border: 2 });
  // Whole pixels per module, where the screen is wide enough.
  const width = size * Math.max(2, Math.floor((size > SMALL ? WIDEST : WIDE) / size));
  return `<img class="qr" alt="QR" width="${width}" height="${width}" src="data:image/png;base64,${png(data, size)}">`;
}

/** Black and white, one bit per module: a fifth of the size of an SVG. */
function png(rows: readonly (readonly boolean[])[], size: number): string {
  const stride = Math.ceil(size / 8) + 1;
  const pixels = Buffer.alloc(stride * size, 0xff);
  for (const [y, row] of rows.entries()) {
    // The byte before a row is its filter: none.
    pixels[y * stride] = 0;
    for (const [x, isDark] of row.entries()) if (isDark) pixels[y * stride + 1 + (x >> 3)]! &= ~(0x80 >> (x & 7));
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  header[8] = 1;
  const parts = [chunk('IHDR', header), chunk('IDAT', deflateSync(pixels)), chunk('IEND', Buffer.alloc(0))];
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), ...parts]).toString('base64');
}

function chunk(name: string, data: Buffer): Buffer {
  const content = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(content), 4);
  return Buffer.concat([frame.subarray(0, 4), content, frame.subarray(4)]);
}
