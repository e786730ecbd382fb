import { safeStorage } from 'electron';
import type { KeyStore } from './secrets.ts';

/** The system's key store: Keychain, DPAPI, or the secret service of a Linux desktop. */
export const systemKeyStore: KeyStore = {
  async isTrustworthy() {
    if (!(await safeStorage.isAsyncEncryptionAvailable())) return false;
    // This backend encrypts with a publicly known password.
    return process.platform !== 'linux' || safeStorage.getSelectedStorageBackend() !== 'basic_text';
  },
  seal: async (text) => (await safeStorage.encryptStringAsync(text)).toString('base64'),
  open: async (sealed) => (await safeStorage.decryptStringAsync(Buffer.from(sealed, 'base64'))).result,
};
