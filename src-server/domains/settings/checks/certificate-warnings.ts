import { isAbsolute } from 'node:path';
import {
  dateWarnings,
  isUnfit,
  nameWarnings,
  type PlacedCertificate,
} from '../../../certificates/certificate-warnings.ts';
import { parseCertificate, readPemFile } from '../../../certificates/read-certificate.ts';
import type { CertificateWarning } from '../../../contract/certificate-warning.ts';
import type { Settings, SettingsCertificates } from '../contract.ts';

type Server = 'web' | 'sub';

/** Problems with the certificate of one of the panel's servers; none if it has no certificate. */
export async function warningsOfServer(
  server: Server,
  settings: Pick<Settings, `${Server}CertFile` | `${Server}Domain`>,
  nowMs: number,
): Promise<CertificateWarning[]> {
  const field = `${server}CertFile` as const;
  const file = settings[field];
  if (file === '') return [];
  const pem = isAbsolute(file) ? await readPemFile(file) : '';
  const placed: PlacedCertificate = { field, file, certificate: parseCertificate(pem) };
  return [...dateWarnings(placed, nowMs), ...nameWarnings(settings[`${server}Domain`], field, [placed])];
}

/** For enabled servers with a certificate. */
export async function ownCertificateWarnings(
  settings: Settings,
  nowMs: number,
): Promise<{ owner: 'panel' | 'subscription'; warnings: CertificateWarning[] }[]> {
  const hasSub = settings.subEnable && settings.subCertFile !== '';
  return [
    ...(settings.webCertFile === ''
      ? []
      : [{ owner: 'panel' as const, warnings: await warningsOfServer('web', settings, nowMs) }]),
    ...(hasSub ? [{ owner: 'subscription' as const, warnings: await warningsOfServer('sub', settings, nowMs) }] : []),
  ];
}

/** Called by a form before a save: warnings about certificates whose file or name the save changes. */
export async function warningsBeforeSave(
  stored: Settings,
  body: SettingsCertificates,
  nowMs: number,
): Promise<CertificateWarning[]> {
  const given = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
  const next: Settings = { ...stored, ...given };
  const servers = (['web', 'sub'] as const).filter(
    (server) => `${server}CertFile` in given || `${server}Domain` in given,
  );
  const warnings = await Promise.all(servers.map((server) => warningsOfServer(server, next, nowMs)));
  return warnings.flat().filter(isUnfit);
}
