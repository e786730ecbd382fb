import type { GuardedDialer } from '../../net/guarded-dialer.ts';
import type { RunningJob } from '../jobs/service.ts';
import { openAccount } from './acme/account.ts';
import { AcmeFailure } from './acme/acme-failure.ts';
import type { AcmeSession } from './acme/acme-session.ts';
import { orderCertificate, type OrderStep } from './acme/order-certificate.ts';
import type { CertificateStore } from './certificate-store.ts';
import { HOOK_SECONDS } from './challenges/hook-programs.ts';
import { showProofs, standardPort, type ProofDeps } from './challenges/show-proofs.ts';
import type { CertificateSpec } from './contract.ts';
import type { CertificateRow } from './repository.ts';
import { issueSelfSigned } from './self-signed.ts';
import { directoryUrlOf, readSpec } from './certificate-spec.ts';

const STEPS: readonly OrderStep[] = ['order', 'prove', 'check', 'sign'];

export interface IssuerDeps extends ProofDeps {
  files: CertificateStore;
  dialer: Pick<GuardedDialer, 'fetch'>;
  clock: () => number;
  /** Key of the external account; empty = none is stored. */
  eabKeyOf: (row: CertificateRow) => string;
}

/** Has certificates signed, by their authority or by themselves. Stores nothing but accounts. */
export function createIssuer(deps: IssuerDeps) {
  const { files, dialer, clock, eabKeyOf } = deps;

  /** A session as the account of this certificate. @throws {AcmeFailure} */
  async function sessionFor(row: CertificateRow, spec: CertificateSpec, signal: AbortSignal): Promise<AcmeSession> {
    const hmacKey = eabKeyOf(row);
    if (spec.eabKid !== '' && hmacKey === '') throw new AcmeFailure('certificate.eabMissing');
    return openAccount({
      store: files,
      dialer,
      spec,
      directoryUrl: await directoryUrlOf(spec),
      eab: spec.eabKid === '' ? null : { kid: spec.eabKid, hmacKey },
      signal,
    });
  }

  /** Follows the order of a certificate to its end. @returns PEM of key and chain @throws {AcmeFailure} */
  async function issue(row: CertificateRow, { signal, report }: RunningJob): Promise<string> {
    const spec = readSpec(row.wanted);
    const { names, keyType, challenge } = spec;
    if (spec.source === 'selfSigned') return issueSelfSigned(names, keyType, clock());
    const step = (stage: string, done: number) => report({ done, total: STEPS.length + 1, stage });
    step('account', 0);
    const session = await sessionFor(row, spec, signal);
    return orderCertificate(session, {
      names,
      keyType,
      challenge,
      port: standardPort(challenge),
      showSeconds: challenge === 'dns-01' ? spec.dnsWaitSeconds + names.length * HOOK_SECONDS : 0,
      show: (proofs, until) => showProofs(deps, spec, proofs, until),
      onStep: (name) => step(name, STEPS.indexOf(name) + 1),
      signal,
    });
  }

  return { sessionFor, issue };
}
export type Issuer = ReturnType<typeof createIssuer>;
