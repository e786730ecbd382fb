import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import type { Extension, Name } from '@peculiar/x509';

const HOUR_MS = 3_600_000;
/** Ten years: nothing renews these, and their end would cut a whole fleet off at once. */
const VALID_MS = 3_650 * 24 * HOUR_MS;
const AUTHORITY_NAME = 'CN=panel node mTLS CA';
const P256 = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;

/** PEM: the certificate, and its key as SEC 1. */
export interface Issued {
  cert: string;
  key: string;
}

/** A new authority for client certificates of panels, P-256. */
export async function issueAuthority(nowMs: number): Promise<Issued> {
  const { BasicConstraintsExtension, KeyUsageFlags, KeyUsagesExtension } = await library();
  const pair = generateKeyPairSync('ec', P256);
  const extensions = [
    new BasicConstraintsExtension(true, 0, true),
    new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
  ];
  return issued({
    ...pair,
    subject: AUTHORITY_NAME,
    issuer: AUTHORITY_NAME,
    signer: pair.privateKey,
    extensions,
    nowMs,
  });
}

/** A new client certificate of this panel. @param authority what {@link issueAuthority} made */
export async function issueClient(authority: Issued, nowMs: number): Promise<Issued> {
  const { ExtendedKeyUsage, ExtendedKeyUsageExtension, KeyUsageFlags, KeyUsagesExtension, X509Certificate } =
    await library();
  const extensions = [
    new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
    new ExtendedKeyUsageExtension([ExtendedKeyUsage.clientAuth]),
  ];
  return issued({
    ...generateKeyPairSync('ec', P256),
    subject: 'CN=panel master',
    // As it is written there: some compare names byte by byte.
    issuer: new X509Certificate(authority.cert).subjectName,
    signer: createPrivateKey(authority.key),
    extensions,
    nowMs,
  });
}

/** RFC 5280, version 3, with the identifiers of both keys. */
async function issued({
  subject,
  issuer,
  publicKey,
  privateKey,
  signer,
  extensions,
  nowMs,
}: {
  subject: string;
  issuer: Name | string;
  publicKey: KeyObject;
  privateKey: KeyObject;
  signer: KeyObject;
  extensions: Extension[];
  nowMs: number;
}): Promise<Issued> {
  const { AuthorityKeyIdentifierExtension, SubjectKeyIdentifierExtension, X509CertificateGenerator } = await library();
  const own = publicKey.toCryptoKey(P256, true, ['verify']);
  const authority = createPublicKey(signer).toCryptoKey(P256, true, ['verify']);
  const certificate = await X509CertificateGenerator.create({
    subject,
    issuer,
    notBefore: new Date(nowMs - HOUR_MS),
    notAfter: new Date(nowMs + VALID_MS),
    publicKey: own,
    signingKey: signer.toCryptoKey(P256, true, ['sign']),
    signingAlgorithm: P256,
    extensions: [
      ...extensions,
      await SubjectKeyIdentifierExtension.create(own),
      await AuthorityKeyIdentifierExtension.create(authority),
    ],
  });
  return {
    cert: `${certificate.toString('pem')}\n`,
    key: privateKey.export({ type: 'sec1', format: 'pem' }).toString(),
  };
}

/** Read when a certificate is made, once in the life of most panels. */
const library = () => import('../../../certificates/x509-library.ts');
