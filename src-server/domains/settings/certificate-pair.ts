import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import { createSecureContext } from 'node:tls';
import { DomainError } from '../../contract/domain-error.ts';

/** PEM texts of a certificate chain and its key. */
export interface CertificatePair {
  cert: string;
  key: string;
}

/** A chain with its key is a few KiB; a device or a disk image is none. */
const MAX_FILE_BYTES = 1024 * 1024;

/**
 * Reads a certificate chain and its private key and checks that they belong together. An expired certificate is
 * accepted: operators renew in place. A file that is missing, unreadable or something else is refused with the same
 * words, so that the answer does not tell which files exist.
 * @throws {DomainError} `settings.certificateUnreadable`, `settings.keyUnreadable`, `settings.certificateMismatch`
 */
export async function loadCertificatePair(certFile: string, keyFile: string): Promise<CertificatePair> {
  const files = { cert: certFile, key: keyFile };
  const cert = await readPem(certFile);
  const blocks = cert?.match(/-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g) ?? [];
  const chain = blocks.map((block) => parse(() => new X509Certificate(block)));
  const leaf = chain[0];
  if (cert === null || leaf === null || leaf === undefined || chain.includes(null))
    throw new DomainError('settings.certificateUnreadable', files);
  const key = await readPem(keyFile);
  const privateKey = key === null ? null : parse(() => createPrivateKey(key));
  if (key === null || privateKey === null) throw new DomainError('settings.keyUnreadable', files);
  if (!leaf.checkPrivateKey(privateKey) || parse(() => createSecureContext({ cert, key })) === null)
    throw new DomainError('settings.certificateMismatch', files);
  return { cert, key };
}

async function readPem(file: string): Promise<string | null> {
  if (!isAbsolute(file)) return null;
  try {
    const { size, isFile } = await stat(file).then((found) => ({ size: found.size, isFile: found.isFile() }));
    return isFile && size <= MAX_FILE_BYTES ? await readFile(file, 'utf8') : null;
  } catch {
    // Why it cannot be read is not told: see above.
    return null;
  }
}

/** Null when the library refuses the text; its messages are OpenSSL codes that help nobody. */
function parse<T>(make: () => T): T | null {
  try {
    return make();
  } catch {
    return null;
  }
}
