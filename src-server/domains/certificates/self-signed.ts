import { isIP } from 'node:net';
import type { KeyType } from './contract.ts';
import { newKeyPair, pemOf } from './key-pair.ts';

const HOUR_MS = 3_600_000;
/** Ten years: clients pin it, and it is never renewed. */
const VALID_MS = 3_650 * 24 * HOUR_MS;

const SIGNING = {
  ec256: { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' },
  ec384: { name: 'ECDSA', namedCurve: 'P-384', hash: 'SHA-384' },
  rsa2048: { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' },
  rsa4096: { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' },
} as const satisfies Record<KeyType, object>;

/** A self-signed server certificate for these names and addresses. @returns PEM of key and certificate */
export async function issueSelfSigned(names: readonly string[], keyType: KeyType, nowMs: number): Promise<string> {
  const library = await import('../../certificates/x509-library.ts');
  const { ExtendedKeyUsage, ExtendedKeyUsageExtension, KeyUsageFlags, KeyUsagesExtension } = library;
  const { SubjectAlternativeNameExtension, SubjectKeyIdentifierExtension, BasicConstraintsExtension } = library;
  const pair = await newKeyPair(keyType);
  const algorithm = SIGNING[keyType];
  const keys = {
    publicKey: pair.publicKey.toCryptoKey(algorithm, true, ['verify']),
    privateKey: pair.privateKey.toCryptoKey(algorithm, true, ['sign']),
  };
  const certificate = await library.X509CertificateGenerator.createSelfSigned({
    // The names are in the extension: a common name would be cut at 64 characters.
    name: 'CN=panel',
    notBefore: new Date(nowMs - HOUR_MS),
    notAfter: new Date(nowMs + VALID_MS),
    keys,
    signingAlgorithm: algorithm,
    extensions: [
      new BasicConstraintsExtension(false, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.digitalSignature | KeyUsageFlags.keyEncipherment, true),
      new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
      new SubjectAlternativeNameExtension(names.map((value) => ({ type: isIP(value) === 0 ? 'dns' : 'ip', value }))),
      await SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return `${pemOf(pair.privateKey)}${certificate.toString('pem')}\n`;
}
