import { safeStorage } from 'electron';
import type { KeyStore } from '../../../src-main/connections/secrets.ts';
import { seal, unseal } from '../../../src-main/panels/store/sealing.ts';

const PLACE = 'the key store of this test';

/**
 * Replaces src-main/connections/key-store.ts under an Electron without the asynchronous methods. `TEST_KEY_STORE`, 32
 * bytes in hex, simulates a system with a key store, which test machines lack.
 */
const named = process.env['TEST_KEY_STORE'] ?? '';
const key = Buffer.from(named, 'hex');

export const systemKeyStore: KeyStore =
  named === ''
    ? {
        isTrustworthy: async () => safeStorage.isEncryptionAvailable(),
        seal: async (text) => safeStorage.encryptString(text).toString('base64'),
        open: async (sealed) => safeStorage.decryptString(Buffer.from(sealed, 'base64')),
      }
    : {
        isTrustworthy: async () => true,
        seal: async (text) => seal(key, PLACE, text).toString('base64'),
        open: async (sealed) => String(unseal(key, PLACE, Buffer.from(sealed, 'base64'))),
      };
