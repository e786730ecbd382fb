import type { Basics } from '../basics.ts';
import { DomainError } from '../../contract/domain-error.ts';
import { failpoint } from '../../failpoints/failpoint.ts';
import type { RunningJob } from '../jobs/service.ts';
import { AcmeFailure } from './acme/acme-failure.ts';
import type { CertificateStore } from './certificate-store.ts';
import type { CertificateFailure } from './contract.ts';
import type { Issuer } from './issue-certificate.ts';
import { readFailure } from './present.ts';
import { backOffMs } from './renewal-rules.ts';
import * as rows from './repository.ts';

/** Not even a clock that is off by months orders more often. */
const REST_MS = 12 * 3_600_000;

export interface ObtainDeps extends Pick<Basics, 'store' | 'clock' | 'publish' | 'log'> {
  issuer: Pick<Issuer, 'issue'>;
  files: Pick<CertificateStore, 'facts' | 'write'>;
  textOf: (failure: DomainError) => string;
  /** The file of a certificate has changed: its users reload it. */
  onWritten: () => Promise<void>;
}

/**
 * One order from its start to its end: writes the file, and stores whether it was obtained or why not.
 *
 * @param isUnasked whether it is an automatic renewal
 * @throws {DomainError} `certificate.*`
 */
export async function obtainCertificate(
  deps: ObtainDeps,
  id: number,
  isUnasked: boolean,
  job: RunningJob,
): Promise<{ expiresAt: number }> {
  const { store, issuer, files, clock, log } = deps;
  const row = await rows.findCertificate(store.reader, id);
  if (row === undefined) throw new DomainError('certificate.unknown');
  try {
    const pem = await issuer.issue(row, job);
    failpoint('certificate.signed');
    await files.write(row.fileId, pem);
    failpoint('certificate.written');
  } catch (error) {
    // A cancelled order has not failed.
    if (!job.signal.aborted) await noteFailure(deps, row, error, isUnasked);
    throw error;
  }
  const rested = { failures: 0, nextTryAtMs: clock() + REST_MS, lastFailure: '', askedAtMs: 0 };
  await store.write((trx) => rows.changeCertificate(trx, id, { ...rested, isObtained: 1, revokedPin: '' }));
  await deps.onWritten();
  const expiresAt = (await files.facts(row.fileId))?.validTo ?? 0;
  log.info('certificates.obtained', { name: row.name, expiresAtMs: expiresAt });
  return { expiresAt };
}

/**
 * Stores that an order failed and when the next may be tried, and announces the first failure of automatic renewals.
 */
async function noteFailure(
  { store, files, clock, publish, textOf }: Pick<ObtainDeps, 'store' | 'files' | 'clock' | 'publish' | 'textOf'>,
  row: rows.CertificateRow,
  error: unknown,
  isUnasked: boolean,
): Promise<void> {
  const failure =
    error instanceof DomainError ? error : new AcmeFailure('certificate.refused', { text: 'unexpected error' });
  const failures = row.failures + 1;
  const nowMs = clock();
  const nextTryAtMs = nowMs + backOffMs(failures, failure instanceof AcmeFailure ? failure.retryAfterMs : 0);
  const { code, params } = failure;
  const reason = textOf(failure);
  const lastFailure = JSON.stringify({
    at: nowMs,
    isUnasked,
    reason,
    code,
    params,
  } satisfies CertificateFailure);
  await store.write((trx) => rows.changeCertificate(trx, row.id, { failures, nextTryAtMs, lastFailure, askedAtMs: 0 }));
  // Reported once: the list shows the last failure, and the expiry is reported separately.
  if (!isUnasked || readFailure(row.lastFailure)?.isUnasked === true) return;
  const facts = await files.facts(row.fileId);
  // As texts: a port is no amount.
  const texts = Object.fromEntries(Object.entries(params).map(([name, value]) => [name, String(value)]));
  publish({
    type: 'happened',
    kind: 'certificate.failed',
    facts: {
      name: row.name,
      error: reason,
      errorCode: code,
      errorParams: JSON.stringify(texts),
      expiresAtMs: facts?.validTo ?? 0,
      nextTryAtMs,
    },
  });
}
