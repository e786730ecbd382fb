import * as z from 'zod';
import { CertificateSave, type Certificate } from '#contract/certificates';

const { name: _name, id: _id, ...shape } = CertificateSave.shape;

/** The form's values. A certificate without a name goes by its first domain. */
export const CertificateFields = z.object({
  name: z.string().trim().max(64),
  source: shape.source.unwrap(),
  names: shape.names,
  keyType: shape.keyType.unwrap(),
  directory: shape.directory.unwrap(),
  directoryUrl: shape.directoryUrl.unwrap(),
  allowPrivate: shape.allowPrivate.unwrap(),
  email: shape.email.unwrap(),
  termsAgreed: shape.termsAgreed.unwrap(),
  eabKid: shape.eabKid.unwrap(),
  eabHmacKey: shape.eabHmacKey.unwrap(),
  challenge: shape.challenge.unwrap(),
  challengeAddress: shape.challengeAddress.unwrap(),
  challengePort: shape.challengePort.unwrap(),
  dnsHook: shape.dnsHook.unwrap(),
  dnsArguments: shape.dnsArguments.unwrap(),
  dnsWaitSeconds: shape.dnsWaitSeconds.unwrap(),
});
export type CertificateFields = z.output<typeof CertificateFields>;

const NEW: CertificateFields = {
  name: '',
  source: 'acme',
  names: [],
  keyType: 'ec256',
  directory: 'letsencrypt',
  directoryUrl: '',
  allowPrivate: false,
  email: '',
  termsAgreed: false,
  eabKid: '',
  eabHmacKey: '',
  challenge: 'http-01',
  challengeAddress: '',
  challengePort: 0,
  dnsHook: '',
  dnsArguments: [],
  dnsWaitSeconds: 30,
};

/**
 * The form's initial values.
 * @param host of the panel's address, which is usually the wanted domain
 */
export function toForm(certificate: Certificate | null, host: string): CertificateFields {
  if (certificate === null) return { ...NEW, names: isName(host) ? [host] : [] };
  return { ...CertificateFields.parse({ ...certificate, eabHmacKey: '' }) };
}

export function toWire(values: CertificateFields, id: number | undefined): CertificateSave {
  const name = values.name === '' ? (values.names[0] ?? '').slice(0, 64) : values.name;
  return { ...values, name, ...(id === undefined ? {} : { id }) };
}

/** Public domain names have a dot and letters behind the last one. */
const isName = (host: string): boolean => /\.[a-z][a-z0-9-]*$/i.test(host) && !host.endsWith('.local');
