import {
  createCipheriv,
  createDecipheriv,
  randomBytes,
  scrypt,
  type BinaryLike,
  type ScryptOptions,
} from 'node:crypto';
import { promisify } from 'node:util';

const derive = promisify<BinaryLike, BinaryLike, number, ScryptOptions, Buffer>(scrypt);

/** 32 MiB and about a tenth of a second for each attempt at a passphrase. */
const COST: ScryptOptions = { N: 2 ** 15, r: 8, p: 1, maxmem: 2 ** 26 };
const MAGIC = Buffer.from('SWP1');
const SALT_BYTES = 16;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;

/** Encryption with a passphrase alone, for any machine: scrypt, then AES-256-GCM. */
export async function sealByPassphrase(bytes: Uint8Array, passphrase: string): Promise<Buffer> {
  const salt = randomBytes(SALT_BYTES);
  const nonce = randomBytes(NONCE_BYTES);
  const key = await derive(passphrase.normalize(), salt, KEY_BYTES, COST);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(MAGIC);
  const sealed = Buffer.concat([cipher.update(bytes), cipher.final()]);
  return Buffer.concat([MAGIC, salt, nonce, cipher.getAuthTag(), sealed]);
}

/** @returns null for another passphrase, or altered bytes. */
export async function openByPassphrase(sealed: Uint8Array, passphrase: string): Promise<Buffer | null> {
  const bytes = Buffer.from(sealed);
  const head = MAGIC.length + SALT_BYTES + NONCE_BYTES + TAG_BYTES;
  if (bytes.length < head || !bytes.subarray(0, MAGIC.length).equals(MAGIC)) return null;
  let at = MAGIC.length;
  const next = (length: number): Buffer => bytes.subarray(at, (at += length));
  const [salt, nonce, tag] = [next(SALT_BYTES), next(NONCE_BYTES), next(TAG_BYTES)];
  const key = await derive(passphrase.normalize(), salt, KEY_BYTES, COST);
  const decipher = createDecipheriv('aes-256-gcm', key, nonce).setAAD(MAGIC).setAuthTag(tag);
  try {
    return Buffer.concat([decipher.update(bytes.subarray(at)), decipher.final()]);
  } catch {
    return null;
  }
}
