import { crc32, deflateSync } from 'node:zlib';
import { encode } from 'uqr';
import { fitsCode } from '../../subscriptions/page/qr-code.ts';

/** Pixels of one module. */
const SCALE = 8;
const QUIET_MODULES = 4;

/** A QR code as a PNG with one bit per pixel; null = the text is too long. */
export function qrPng(text: string): Buffer | null {
  if (!fitsCode(text)) return null;
  const { data, size } = encode(text, { ecc: 'M', border: QUIET_MODULES });
  const pixels = size * SCALE;
  const rowBytes = Math.ceil(pixels / 8);
  // Each row: a filter byte, then its bits; 1 is white.
  const rows = Buffer.alloc((rowBytes + 1) * pixels);
  for (let y = 0; y < pixels; y += 1) {
    const start = y * (rowBytes + 1) + 1;
    const modules = data[Math.floor(y / SCALE)]!;
    // One module is one byte wide.
    for (let x = 0; x < size; x += 1) rows[start + x] = modules[x] === true ? 0x00 : 0xff;
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(pixels, 0);
  header.writeUInt32BE(pixels, 4);
  // One-bit greyscale; default compression, filter and interlacing.
  header[8] = 1;
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(kind: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(kind, 'latin1'), data]);
  const frame = Buffer.alloc(4);
  frame.writeUInt32BE(data.length);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([frame, body, sum]);
}
