import { generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import type { KeyType } from './contract.ts';

const generate = promisify(generateKeyPair);

interface KeyPair {
  publicKey: KeyObject;
  privateKey: KeyObject;
}

const MAKERS = {
  ec256: () => generate('ec', { namedCurve: 'P-256' }),
  ec384: () => generate('ec', { namedCurve: 'P-384' }),
  rsa2048: () => generate('rsa', { modulusLength: 2048 }),
  rsa4096: () => generate('rsa', { modulusLength: 4096 }),
} satisfies Record<KeyType, () => Promise<KeyPair>>;

/** A new key pair; generated off the event loop, because RSA is slow. */
export const newKeyPair = (type: KeyType): Promise<KeyPair> => MAKERS[type]();

export const pemOf = (key: KeyObject): string => key.export({ type: 'pkcs8', format: 'pem' }).toString();
