import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls';

let context: Promise<SecureContext> | null = null;

/**
 * Authorities that may vouch for the operator's own servers: the public ones, those of `NODE_EXTRA_CA_CERTS`, and those
 * that this system trusts. Read once, when first needed.
 */
export const trustedAuthorities = (): Promise<SecureContext> => (context ??= readAuthorities());

/** In steps, because each takes long enough to delay requests noticeably. */
async function readAuthorities(): Promise<SecureContext> {
  const known = getCACertificates('default');
  await nextTurn();
  const all = new Set([...known, ...getCACertificates('system')]);
  await nextTurn();
  return createSecureContext({ ca: [...all], minVersion: 'TLSv1.2' });
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
