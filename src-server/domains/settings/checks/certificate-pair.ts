import { createPrivateKey } from 'node:crypto';
import { isAbsolute } from 'node:path';
import { createSecureContext } from 'node:tls';
import { parseCertificate, readPemFile } from '../../../certificates/read-certificate.ts';
import { DomainError } from '../../../contract/domain-error.ts';

/** PEM texts of a certificate chain and its key. */
export interface CertificatePair {
  cert: string;
  key: string;
}

/**
 * Reads a certificate chain and its private key and checks that they match. An expired certificate is accepted:
 * operators renew in place. Missing, unreadable and invalid files are refused with the same text, so that the response
 * does not reveal which files exist.
 * @throws {DomainError} `settings.certificateUnreadable`, `settings.keyUnreadable`, `settings.certificateMismatch`
 */
export async function loadCertificatePair(certFile: string, keyFile: string): Promise<CertificatePair> {
  const files = { cert: certFile, key: keyFile };
  const cert = await readPem(certFile);
  const blocks = cert.match(/-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g) ?? [];
  const chain = blocks.map((block) => parseCertificate(block));
  const leaf = chain[0];
  if (leaf === null || leaf === undefined || chain.includes(null))
    throw new DomainError('settings.certificateUnreadable', files);
  const key = await readPem(keyFile);
  const privateKey = parse(() => createPrivateKey(key));
  if (privateKey === null) throw new DomainError('settings.keyUnreadable', files);
  if (!leaf.checkPrivateKey(privateKey) || parse(() => createSecureContext({ cert, key })) === null)
    throw new DomainError('settings.certificateMismatch', files);
  return { cert, key };
}

/**
 * Empty for a path that depends on the folder in which the panel was started, and for anything that is not a readable
 * file.
 */
async function readPem(file: string): Promise<string> {
  return isAbsolute(file) ? readPemFile(file) : '';
}

/** Null when the library refuses the text; its OpenSSL codes do not help an operator. */
function parse<T>(make: () => T): T | null {
  try {
    return make();
  } catch {
    return null;
  }
}
