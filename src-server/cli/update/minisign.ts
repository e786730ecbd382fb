import { createHash, createPublicKey, verify, type KeyObject } from 'node:crypto';

const ID_BYTES = 8;
const KEY_BYTES = 32;
const SIGNATURE_BYTES = 64;

interface PublicKey {
  id: Buffer;
  key: KeyObject;
}

/** A minisign public key, as its file has it. @throws {Error} when it is not one */
export function readPublicKey(text: string): PublicKey {
  const packed = Buffer.from(dataLine(text, 1), 'base64');
  if (packed.length !== 2 + ID_BYTES + KEY_BYTES || packed.toString('latin1', 0, 2) !== 'Ed')
    throw new Error('the public key is none of minisign');
  const x = packed.subarray(2 + ID_BYTES).toString('base64url');
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  return { id: packed.subarray(2, 2 + ID_BYTES), key };
}

/**
 * Whether this key has signed these bytes: all of them, or their BLAKE2b-512, as newer signatures do. The signed
 * comment is checked as well.
 */
export function isSigned(message: Buffer, signatureFile: string, { id, key }: PublicKey): boolean {
  const packed = Buffer.from(dataLine(signatureFile, 1), 'base64');
  const comment = dataLine(signatureFile, 2).replace(/^trusted comment: /, '');
  const ofComment = Buffer.from(dataLine(signatureFile, 3), 'base64');
  if (packed.length !== 2 + ID_BYTES + SIGNATURE_BYTES || ofComment.length !== SIGNATURE_BYTES) return false;
  const kind = packed.toString('latin1', 0, 2);
  if (!packed.subarray(2, 2 + ID_BYTES).equals(id) || (kind !== 'Ed' && kind !== 'ED')) return false;
  const signature = packed.subarray(2 + ID_BYTES);
  const signed = kind === 'Ed' ? message : createHash('blake2b512').update(message).digest();
  return (
    verify(null, signed, key, signature) &&
    verify(null, Buffer.concat([signature, Buffer.from(comment)]), key, ofComment)
  );
}

const dataLine = (text: string, at: number): string => text.split(/\r?\n/)[at] ?? '';
