import { randomBytes } from 'node:crypto';
import type { KeyStore } from '../../connections/secrets.ts';

const KEY_BYTES = 32;

/**
 * The key that seals stored readings, itself sealed by the system's key store. A key that cannot be opened any more
 * (another user, a reset key store) is replaced: its data is lost and read again.
 * @param file the sealed key; empty before the first one
 * @returns the key in base64, and whether it outlives the application
 */
export async function openDataKey(
  keys: KeyStore,
  file: { read(): { sealed: string }; write(value: { sealed: string }): Promise<void> },
): Promise<{ key: string; isKept: boolean }> {
  const fresh = randomBytes(KEY_BYTES).toString('base64');
  if (!(await keys.isTrustworthy())) return { key: fresh, isKept: false };
  const { sealed } = file.read();
  if (sealed !== '') {
    const key = await keys.open(sealed).catch(() => '');
    if (Buffer.from(key, 'base64').length === KEY_BYTES) return { key, isKept: true };
  }
  const replacement = await keys.seal(fresh);
  // On a full disk the key ends with the application, too.
  const isKept = await file.write({ sealed: replacement }).then(
    () => true,
    () => false,
  );
  return { key: fresh, isKept };
}
