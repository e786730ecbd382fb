import { execFile } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { coreBinary } from './core/core-binary.ts';

export interface TestCertificate {
  certPem: string;
  keyPem: string;
  certFile: string;
  keyFile: string;
  /** Hex SHA-256 of the leaf, as a client pins it. */
  pin: string;
}

/** A throw-away certificate for test.local, made by the core itself and written into `folder`. */
export async function makeCertificate(folder: string): Promise<TestCertificate> {
  const { stdout } = await promisify(execFile)(coreBinary(), [
    'tls',
    'cert',
    '--domain=test.local',
    '--name=test.local',
    '--json',
  ]);
  const made = JSON.parse(stdout) as { certificate: string[]; key: string[] };
  const certPem = `${made.certificate.join('\n')}\n`;
  // The core labels its PKCS #8 key as an RSA one, which OpenSSL takes at its word.
  const keyPem = `${made.key.join('\n').replaceAll('RSA PRIVATE KEY', 'PRIVATE KEY')}\n`;
  const certFile = join(folder, 'test-cert.pem');
  const keyFile = join(folder, 'test-key.pem');
  await writeFile(certFile, certPem);
  await writeFile(keyFile, keyPem, { mode: 0o600 });
  const pin = new X509Certificate(certPem).fingerprint256.replaceAll(':', '').toLowerCase();
  return { certPem, keyPem, certFile, keyFile, pin };
}
