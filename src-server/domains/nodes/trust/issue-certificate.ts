import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import type { Extension, Name } from '@peculiar/x509';

const HOUR_MS = 3_600_000;
/** Ten years: they are not renewed automatically, and their expiry would disconnect a whole fleet at once. */
const VALID_MS = 3_650 * 24 * HOUR_MS;
/** Renewed after two thirds of it, through the trunk. */
const NODE_VALID_MS = 730 * 24 * HOUR_MS;
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

/** A new client certificate of this panel. @param authority result of {@link issueAuthority} */
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
    // Copied exactly: some implementations compare names byte by byte.
    issuer: new X509Certificate(authority.cert).subjectName,
    signer: createPrivateKey(authority.key),
    extensions,
    nowMs,
  });
}

/**
 * A certificate for an enrolled node.
 * @param publicKey of the node, which keeps the private key to itself
 * @param name DNS name in the certificate
 */
export async function issueNode(
  authority: Issued,
  { publicKey, name, nowMs }: { publicKey: KeyObject; name: string; nowMs: number },
): Promise<string> {
  const {
    ExtendedKeyUsage,
    ExtendedKeyUsageExtension,
    KeyUsageFlags,
    KeyUsagesExtension,
    SubjectAlternativeNameExtension,
  } = await library();
  const { X509Certificate } = await library();
  const extensions = [
    new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
    new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
    new SubjectAlternativeNameExtension([{ type: 'dns', value: name }]),
  ];
  return certified({
    subject: 'CN=panel node',
    issuer: new X509Certificate(authority.cert).subjectName,
    publicKey,
    signer: createPrivateKey(authority.key),
    extensions,
    nowMs,
    validMs: NODE_VALID_MS,
  });
}

/** A key of this panel with a certificate used only for its first handshake. */
export async function issueSelfSigned(nowMs: number): Promise<Issued> {
  const pair = generateKeyPairSync('ec', P256);
  return issued({ ...pair, subject: 'CN=panel', issuer: 'CN=panel', signer: pair.privateKey, extensions: [], nowMs });
}

/** Whether enough of a certificate's lifetime has passed to renew it. */
export function isRenewalDue(certificate: { validFromDate: Date; validToDate: Date }, nowMs: number): boolean {
  const [from, to] = [certificate.validFromDate.getTime(), certificate.validToDate.getTime()];
  return nowMs >= from + ((to - from) * 2) / 3;
}

/** RFC 5280, version 3, with the identifiers of both keys. */
async function certified({
  subject,
  issuer,
  publicKey,
  signer,
  extensions,
  nowMs,
  validMs = VALID_MS,
}: Wanted): Promise<string> {
  const { AuthorityKeyIdentifierExtension, SubjectKeyIdentifierExtension, X509CertificateGenerator } = await library();
  const own = publicKey.toCryptoKey(P256, true, ['verify']);
  const authority = createPublicKey(signer).toCryptoKey(P256, true, ['verify']);
  const certificate = await X509CertificateGenerator.create({
    subject,
    issuer,
    notBefore: new Date(nowMs - HOUR_MS),
    notAfter: new Date(nowMs + validMs),
    publicKey: own,
    signingKey: signer.toCryptoKey(P256, true, ['sign']),
    signingAlgorithm: P256,
    extensions: [
      ...extensions,
      await SubjectKeyIdentifierExtension.create(own),
      await AuthorityKeyIdentifierExtension.create(authority),
    ],
  });
  return `${certificate.toString('pem')}\n`;
}

interface Wanted {
  subject: string;
  issuer: Name | string;
  publicKey: KeyObject;
  signer: KeyObject;
  extensions: Extension[];
  nowMs: number;
  validMs?: number;
}

const issued = async ({ privateKey, ...wanted }: Wanted & { privateKey: KeyObject }): Promise<Issued> => ({
  cert: await certified(wanted),
  key: privateKey.export({ type: 'sec1', format: 'pem' }).toString(),
});

/** Parsed when a certificate is issued, once in the life of most panels. */
const library = () => import('../../../certificates/x509-library.ts');
