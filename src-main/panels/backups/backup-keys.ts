import type { BackupKeyState } from '../../bridge/maintenance.ts';
import type { KeyStore } from '../../connections/secrets.ts';
import { openWithPassphrase, sealWithPassphrase, type Cost, type PassphraseBox } from '../../lock/passphrase.ts';
import type { JsonFile } from '../../preferences/json-file.ts';
import type { BackupKey } from './sealed-file.ts';

const PLACE = 'backups';

interface KeyFile extends Record<string, unknown> {
  /** Empty: there is no key yet. */
  recipient: string;
  /** The private key, sealed by the system's key store; empty = absent. */
  sealed: string;
  /** The same, sealed with a passphrase. */
  box: PassphraseBox | null;
}

/** @param cost of a passphrase; absent = the production value */
export function createBackupKeys(
  store: KeyStore,
  file: JsonFile<KeyFile>,
  make: () => Promise<BackupKey>,
  cost?: Cost,
) {
  let identity = '';
  let making: Promise<void> | null = null;

  async function opened(): Promise<string> {
    const { sealed } = file.read();
    if (identity === '' && sealed !== '' && (await store.isTrustworthy()))
      identity = await store.open(sealed).catch(() => '');
    return identity;
  }

  async function makeKey(): Promise<void> {
    if (file.read().recipient !== '') return;
    if (!(await store.isTrustworthy())) throw new Error('nothing here seals backups: set a passphrase');
    const key = await make();
    await file.write({ recipient: key.recipient, sealed: await store.seal(key.identity), box: null });
    identity = key.identity;
  }

  return {
    async state(): Promise<BackupKeyState> {
      const { recipient, box } = file.read();
      if (recipient === '') return (await store.isTrustworthy()) ? 'system' : 'none';
      if ((await opened()) === '') return 'locked';
      return box === null ? 'system' : 'passphrase';
    },
    /** The key that seals backups now; null: none. */
    async known(): Promise<BackupKey | null> {
      const { recipient } = file.read();
      return recipient === '' ? null : { recipient, identity: await opened() };
    },
    /** Makes a key if there is none and the key store can seal it. @throws {Error} when nothing could seal it */
    async ready(): Promise<void> {
      making ??= makeKey().finally(() => (making = null));
      await making;
    },
    /** Opens the key, or seals a first one. @throws {Error} for a wrong passphrase */
    async usePassphrase(passphrase: string): Promise<void> {
      const { recipient, box, sealed } = file.read();
      if (box !== null) {
        identity = await openWithPassphrase(passphrase, PLACE, box).catch(() => {
          throw new Error('this is not the passphrase');
        });
        return;
      }
      const key = recipient === '' ? await make() : { recipient, identity: await opened() };
      // Its key store is gone: the key cannot be opened any more, and new backups need a new one.
      const usable = key.identity === '' ? await make() : key;
      await file.write({
        recipient: usable.recipient,
        sealed: usable === key ? sealed : '',
        box: await sealWithPassphrase(passphrase, PLACE, usable.identity, cost),
      });
      identity = usable.identity;
    },
  };
}
/** The key of the backups: made once, sealed by the system's key store, else by a passphrase, never stored unsealed. */
export type BackupKeys = ReturnType<typeof createBackupKeys>;
