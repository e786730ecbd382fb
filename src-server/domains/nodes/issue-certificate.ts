import { createPrivateKey, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';
import { element, pem, sequence, utcTime } from './der.ts';

const HOUR_MS = 3_600_000;
/** Ten years: nothing renews these, and their end would cut a whole fleet off at once. */
const VALID_MS = 3_650 * 24 * HOUR_MS;
const ECDSA_WITH_SHA256 = sequence(Buffer.from('06082a8648ce3d040302', 'hex'));
const CA_NAME = nameOf('panel node mTLS CA');

/** PEM: the certificate, and its key as SEC 1. */
export interface Issued {
  cert: string;
  key: string;
}

/** A new authority for client certificates of panels, P-256. */
export function issueAuthority(nowMs: number): Issued {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const extensions = [
    extension('551d13', sequence(element(0x01, Buffer.from([0xff])), element(0x02, Buffer.from([0]))), true),
    // certSign, cRLSign
    extension('551d0f', element(0x03, Buffer.from([0x01, 0x06])), true),
  ];
  return issued({ subject: CA_NAME, publicKey, signer: privateKey, extensions, nowMs }, privateKey);
}

/** A new client certificate of this panel. @param authorityKey key of what {@link issueAuthority} made */
export function issueClient(authorityKey: string, nowMs: number): Issued {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const extensions = [
    // digitalSignature
    extension('551d0f', element(0x03, Buffer.from([0x07, 0x80])), true),
    // clientAuth
    extension('551d25', sequence(Buffer.from('06082b06010505070302', 'hex')), false),
  ];
  const signer = createPrivateKey(authorityKey);
  return issued({ subject: nameOf('panel master'), publicKey, signer, extensions, nowMs }, privateKey);
}

interface Template {
  subject: Buffer;
  publicKey: KeyObject;
  signer: KeyObject;
  extensions: Buffer[];
  nowMs: number;
}

/** RFC 5280, version 3, issued by the authority's name. */
function issued({ subject, publicKey, signer, extensions, nowMs }: Template, key: KeyObject): Issued {
  const body = sequence(
    element(0xa0, Buffer.from('020102', 'hex')),
    // 128 bits behind a one: positive, and never shorter.
    element(0x02, Buffer.concat([Buffer.from([0x01]), randomBytes(16)])),
    ECDSA_WITH_SHA256,
    CA_NAME,
    sequence(utcTime(nowMs - HOUR_MS), utcTime(nowMs + VALID_MS)),
    subject,
    publicKey.export({ type: 'spki', format: 'der' }),
    element(0xa3, sequence(...extensions)),
  );
  const signature = element(0x03, Buffer.concat([Buffer.from([0]), sign('sha256', body, signer)]));
  return {
    cert: pem('CERTIFICATE', sequence(body, ECDSA_WITH_SHA256, signature)),
    key: key.export({ type: 'sec1', format: 'pem' }).toString(),
  };
}

/** A common name and nothing else. */
function nameOf(text: string): Buffer {
  const commonName = sequence(Buffer.from('0603550403', 'hex'), element(0x0c, Buffer.from(text)));
  return sequence(element(0x31, commonName));
}

function extension(objectId: string, value: Buffer, isCritical: boolean): Buffer {
  const critical = isCritical ? [element(0x01, Buffer.from([0xff]))] : [];
  return sequence(element(0x06, Buffer.from(objectId, 'hex')), ...critical, element(0x04, value));
}
