import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { createSecureContext } from 'node:tls';

/** A PEM certificate chain and its private key. */
export interface CertificatePair {
  cert: string;
  key: string;
  /** Whether the certificate is valid for this host name or address. */
  covers(name: string): boolean;
}

/**
 * Reads a certificate chain and its key. An expired certificate passes: administrators renew in place.
 * @throws {Error} naming the file that is missing, holds no such block, or does not match the other.
 */
export async function loadCertificatePair(certFile: string, keyFile: string): Promise<CertificatePair> {
  const cert = await readPem(certFile);
  const key = await readPem(keyFile);
  const leaf = parsed(certFile, () => new X509Certificate(cert));
  const privateKey = parsed(keyFile, () => createPrivateKey(key));
  if (!leaf.checkPrivateKey(privateKey)) throw new Error(`the key in ${keyFile} does not belong to ${certFile}`);
  parsed(certFile, () => createSecureContext({ cert, key }));
  return {
    cert,
    key,
    covers: (name) => (isIP(name) === 0 ? leaf.checkHost(name) : leaf.checkIP(name)) !== undefined,
  };
}

async function readPem(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new Error(file === '' ? 'one of the two files is not set' : `${file} cannot be read`, { cause: error });
  }
}

function parsed<T>(file: string, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    throw new Error(`${file} cannot be used: ${(error as Error).message}`, { cause: error });
  }
}
