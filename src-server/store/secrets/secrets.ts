import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { DomainError } from '../../contract/domain-error.ts';

/** Encrypts small values for storage, so that a copied database alone reveals nothing. */
export interface Secrets {
  /**
   * @param name what the value is (a setting's key); a value sealed under one name does not open under another.
   * @returns the sealed text; the empty text for the empty text.
   * @throws {DomainError} `secrets.keyElsewhere` when the key is in a key store that this process cannot access.
   */
  seal(name: string, text: string): string;
  /** @returns null when it cannot be opened: the key was lost or is another panel's, or the value was altered. */
  open(name: string, sealed: string): string | null;
}

/** Length of the key in bytes (AES-256). */
export const KEY_BYTES = 32;
const PREFIX = 'v1:';
/** Bytes of nonce and tag, as GCM is meant to be used. */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** @param key 32 bytes, or null when it is unavailable: then nothing opens, and nothing can be sealed. */
export function createSecrets(key: Uint8Array | null): Secrets {
  return {
    seal(name, text) {
      if (text === '') return '';
      if (key === null) throw new DomainError('secrets.keyElsewhere');
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(name));
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return PREFIX + Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64');
    },
    open(name, sealed) {
      if (sealed === '') return '';
      if (key === null || !sealed.startsWith(PREFIX)) return null;
      const bytes = Buffer.from(sealed.slice(PREFIX.length), 'base64');
      if (bytes.length < NONCE_BYTES + TAG_BYTES) return null;
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      })
        .setAAD(Buffer.from(name))
        .setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
      try {
        const opened = [decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()];
        return Buffer.concat(opened).toString('utf8');
      } catch {
        // The only failure of GCM: the tag does not match.
        return null;
      }
    },
  };
}
