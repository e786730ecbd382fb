import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** Largest unpacked size of one entry. */
const MAX_BYTES = 64 * 1024 * 1024;

/**
 * Seals a value with AES-256-GCM. @param key 32 bytes @param place where it is stored: elsewhere it does not open
 */
export function seal(key: Buffer, place: string, value: unknown): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(place));
  const packed = deflateRawSync(JSON.stringify(value), { level: 1 });
  return Buffer.concat([nonce, cipher.update(packed), cipher.final(), cipher.getAuthTag()]);
}

/** @throws {Error} when it was changed, moved, or sealed with another key */
export function unseal(key: Buffer, place: string, sealed: Buffer): unknown {
  const nonce = sealed.subarray(0, NONCE_BYTES);
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES })
    .setAAD(Buffer.from(place))
    .setAuthTag(sealed.subarray(sealed.length - TAG_BYTES));
  const text = sealed.subarray(NONCE_BYTES, sealed.length - TAG_BYTES);
  const packed = Buffer.concat([decipher.update(text), decipher.final()]);
  return JSON.parse(inflateRawSync(packed, { maxOutputLength: MAX_BYTES }).toString());
}
