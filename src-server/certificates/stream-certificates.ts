import { resolve } from 'node:path';
import type { CertificateWarning } from '../contract/certificate-warning.ts';
import { certificatePairsOf, type CertificatePair } from '../core/config/certificate-pairs.ts';
import { objectOf, textOf } from '../core/config/json-access.ts';
import type { JsonObject } from '../core/config/source.ts';
import { dateWarnings, nameWarnings, type PlacedCertificate } from './certificate-warnings.ts';
import { parseCertificate, readPemFile } from './read-certificate.ts';

interface StreamPlace {
  /** Base of relative paths. */
  folder: string;
  /** Whether its files are on another machine, where only the node itself can read them. */
  isElsewhere: boolean;
  nowMs: number;
}

/** Warnings about the certificates of an inbound's transport; none unless its security is tls. */
export async function streamWarnings(
  streamSettings: JsonObject | null,
  { folder, isElsewhere, nowMs }: StreamPlace,
): Promise<CertificateWarning[]> {
  const pairs = certificatePairsOf(streamSettings);
  const known = pairs.filter(({ certificateFile }) => certificateFile === '' || !isElsewhere);
  const placed = await Promise.all(known.map((pair) => placedOf(pair, folder)));
  const warnings = placed.flatMap((each) => dateWarnings(each, nowMs));
  // An issuing certificate makes certificates for every requested name; one on another machine may have any name.
  if (known.length < pairs.length || pairs.some(({ usage }) => usage === 'issue')) return warnings;
  const servers = placed.filter((_, index) => pairs[index]?.usage === 'encipherment');
  const name = textOf(objectOf(streamSettings?.['tlsSettings'])['serverName']).trim();
  return [...warnings, ...nameWarnings(name, 'streamSettings.tlsSettings.serverName', servers)];
}

async function placedOf(pair: CertificatePair, folder: string): Promise<PlacedCertificate> {
  const { field, certificateFile: file, certificatePem } = pair;
  const pem = file === '' ? certificatePem : await readPemFile(resolve(folder, file));
  const member = file === '' ? 'certificate' : 'certificateFile';
  return { field: `${field}.${member}`, file, certificate: parseCertificate(pem) };
}
