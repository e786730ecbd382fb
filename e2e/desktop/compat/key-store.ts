import { safeStorage } from 'electron';
import type { KeyStore } from '../../../src-main/connections/secrets.ts';

/** Stands in for src-main/connections/key-store.ts under an Electron without the asynchronous methods. */
export const systemKeyStore: KeyStore = {
  isTrustworthy: async () => safeStorage.isEncryptionAvailable(),
  seal: async (text) => safeStorage.encryptString(text).toString('base64'),
  open: async (sealed) => safeStorage.decryptString(Buffer.from(sealed, 'base64')),
};
