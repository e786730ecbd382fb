import type { ConnectionSecrets } from './connection.ts';

/** Seals texts so that only this user on this machine can open them. */
export interface KeyStore {
  /** False where there is no real protection: secrets are then kept only until the application ends. */
  isTrustworthy(): Promise<boolean>;
  seal(text: string): Promise<string>;
  /** @throws {Error} when it was sealed with another key */
  open(sealed: string): Promise<string>;
}

/**
 * Secrets of connections: sealed in a file where a key store protects them, else only in memory.
 * @param file sealed texts by id of the connection
 */
export function createSecretBox(
  keys: KeyStore,
  file: { read(): Record<string, string>; write(sealed: Record<string, string>): Promise<void> },
) {
  const opened = new Map<string, ConnectionSecrets>();
  return {
    /** Whether secrets outlive the application. */
    isKept: (): Promise<boolean> => keys.isTrustworthy(),
    async read(id: string): Promise<ConnectionSecrets> {
      const known = opened.get(id);
      if (known !== undefined) return known;
      const sealed = file.read()[id];
      const secrets = sealed === undefined ? {} : await openOrNone(keys, sealed);
      opened.set(id, secrets);
      return secrets;
    },
    async write(id: string, secrets: ConnectionSecrets): Promise<void> {
      opened.set(id, secrets);
      if (!(await keys.isTrustworthy())) return;
      const sealed = await keys.seal(JSON.stringify(secrets));
      // Newer ones were given meanwhile, or they were forgotten.
      if (opened.get(id) !== secrets) return;
      await file.write({ ...file.read(), [id]: sealed });
    },
    async forget(id: string): Promise<void> {
      opened.delete(id);
      const { [id]: gone, ...rest } = file.read();
      if (gone !== undefined) await file.write(rest);
    },
  };
}
export type SecretBox = ReturnType<typeof createSecretBox>;

/** A box sealed with a lost key (another user, a reset key store) counts as empty: the panel asks for a sign-in. */
async function openOrNone(keys: KeyStore, sealed: string): Promise<ConnectionSecrets> {
  try {
    return JSON.parse(await keys.open(sealed)) as ConnectionSecrets;
  } catch {
    return {};
  }
}
