import { generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';

/** A throw-away certificate of localhost and 127.0.0.1, signed by itself. */
export interface SelfSigned {
  certPem: string;
  keyPem: string;
}

export interface SelfSignedKind {
  /** Other names than localhost. */
  dnsNames?: readonly string[];
  /** Marked for TLS clients, like the certificates that panels present to each other. */
  isForClients?: boolean;
}

/** @param validForDays negative = expired since. */
export function makeSelfSigned(validForDays = 2, kind: SelfSignedKind = {}): SelfSigned {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const der = certificate(publicKey, privateKey, Date.now() + validForDays * 86_400_000, kind);
  return {
    certPem: pem('CERTIFICATE', der),
    keyPem: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

/** RFC 5280, with only the parts that a parser requires. */
function certificate(publicKey: KeyObject, privateKey: KeyObject, untilMs: number, kind: SelfSignedKind): Buffer {
  const ecdsaWithSha256 = sequence(Buffer.from('06082a8648ce3d040302', 'hex'));
  const commonName = Buffer.from('0603550403', 'hex');
  const name = sequence(element(0x31, sequence(commonName, element(0x0c, Buffer.from('localhost')))));
  const dnsNames = (kind.dnsNames ?? ['localhost']).map((dnsName) => element(0x82, Buffer.from(dnsName)));
  const altNames = sequence(...dnsNames, element(0x87, Buffer.from([127, 0, 0, 1])));
  const subjectAltName = sequence(Buffer.from('0603551d11', 'hex'), element(0x04, altNames));
  const clientAuth = sequence(Buffer.from('06082b06010505070302', 'hex'));
  const extendedKeyUsage = sequence(Buffer.from('0603551d25', 'hex'), element(0x04, clientAuth));
  const extensions = kind.isForClients === true ? [subjectAltName, extendedKeyUsage] : [subjectAltName];
  const body = sequence(
    element(0xa0, Buffer.from('020102', 'hex')),
    element(0x02, Buffer.concat([Buffer.from([0x01]), randomBytes(8)])),
    ecdsaWithSha256,
    name,
    sequence(utcTime(untilMs - 365 * 86_400_000), utcTime(untilMs)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    element(0xa3, sequence(...extensions)),
  );
  const signature = sign('sha256', body, privateKey);
  return sequence(body, ecdsaWithSha256, element(0x03, Buffer.concat([Buffer.from([0x00]), signature])));
}

/** One DER element: tag, length, content. */
function element(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const head =
    length < 0x80 ? [tag, length] : length < 0x100 ? [tag, 0x81, length] : [tag, 0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from(head), content]);
}

const sequence = (...parts: Buffer[]): Buffer => element(0x30, Buffer.concat(parts));

/** A time before 2050, in seconds. */
function utcTime(ms: number): Buffer {
  const digits = new Date(ms).toISOString().replaceAll(/\D/g, '').slice(2, 14);
  return element(0x17, Buffer.from(`${digits}Z`));
}

const pem = (label: string, der: Buffer): string =>
  `-----BEGIN ${label}-----\n${der.toString('base64').replaceAll(/.{64}/g, '$&\n').trimEnd()}\n-----END ${label}-----\n`;
