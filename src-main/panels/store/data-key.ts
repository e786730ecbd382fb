import { randomBytes } from 'node:crypto';
import type { KeyStore } from '../../connections/secrets.ts';

const KEY_BYTES = 32;

/**
 * The key that seals what is kept of the panels, itself sealed by the key store of the system. One that cannot be opened any more
 * (another user, a reset key store) is replaced: what it sealed begins anew.
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
  await file.write({ sealed: await keys.seal(fresh) });
  return { key: fresh, isKept: true };
}
