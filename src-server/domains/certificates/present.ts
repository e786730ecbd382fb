import type { Row } from '../../store/schema.ts';
import {
  CertificateFailure,
  type Certificate,
  type CertificateFacts,
  type CertificateUse,
  type CertificateSpec,
} from './contract.ts';
import { renewsAtMs } from './renewal-rules.ts';

/** A certificate as the API returns it. */
export function presentCertificate(
  row: Row<'certificates'>,
  {
    spec,
    facts,
    nowMs,
    ...shown
  }: {
    spec: CertificateSpec;
    file: string;
    facts: CertificateFacts | null;
    jobId: string;
    usedBy: CertificateUse[];
    nowMs: number;
  },
): Certificate {
  const { id, name, nextTryAtMs } = row;
  const isRevoked = facts !== null && facts.pin === row.revokedPin;
  return {
    ...spec,
    ...shown,
    id,
    name,
    hasEabHmacKey: row.eabHmacKey !== '',
    facts,
    isRevoked,
    renewsAt: renewsAtMs({ spec, facts, isObtained: row.isObtained === 1, isRevoked, nextTryAtMs, nowMs }),
    lastFailure: readFailure(row.lastFailure),
  };
}

/** Null = the last order succeeded. */
export function readFailure(text: string): CertificateFailure | null {
  if (text === '') return null;
  try {
    return CertificateFailure.parse(JSON.parse(text));
  } catch {
    return null;
  }
}
