import type { Basics } from '../basics.ts';
import { createLine } from '../../concurrency.ts';
import { DomainError } from '../../contract/domain-error.ts';
import { failpoint } from '../../failpoints/failpoint.ts';
import type { GuardedDialer } from '../../net/guarded-dialer.ts';
import type { Secrets } from '../../store/secrets/secrets.ts';
import type { RunningJob } from '../jobs/service.ts';
import { openAccount } from './acme/account.ts';
import { AcmeFailure } from './acme/acme-failure.ts';
import type { AcmeSession } from './acme/acme-session.ts';
import { orderCertificate, type OrderStep } from './acme/order-certificate.ts';
import type { CertificateStore } from './certificate-store.ts';
import { HOOK_SECONDS } from './challenges/dns-hooks.ts';
import { showProofs, standardPort, type ProofDeps } from './challenges/show-proofs.ts';
import type { CertificateFailure, CertificateWish } from './contract.ts';
import { readFailure } from './present.ts';
import { backOffMs, renewsAtMs } from './renewal-rules.ts';
import * as rows from './repository.ts';
import { issueSelfSigned } from './self-signed.ts';
import { directoryUrlOf, readWish } from './wish.ts';

export interface OrderDeps extends ProofDeps, Pick<Basics, 'store' | 'clock' | 'schedule' | 'publish' | 'log'> {
  secrets: Secrets;
  files: CertificateStore;
  dialer: Pick<GuardedDialer, 'fetch'>;
  jobs: {
    start(work: { kind: string; title: string; run: (job: RunningJob) => Promise<unknown> }): {
      id: string;
      ended: Promise<{ state: string; isCancelling: boolean }>;
    };
  };
  textOf: (failure: DomainError) => string;
  /** The file of a certificate has changed: its users reload it. */
  onWritten: () => Promise<void>;
}

const FIRST_LOOK_MS = 10_000;
const LOOK_EVERY_MS = 10 * 60_000;
/** A person waits at the command that asked. */
const LOOK_FOR_COMMANDS_MS = 2_000;
/** Not even a clock that is off by months orders more often. */
const REST_MS = 12 * 3_600_000;
const STEPS: readonly OrderStep[] = ['order', 'prove', 'check', 'sign'];

/** Context under which the key of an external account is sealed. */
export const sealOf = (fileId: string): string => `certificate.${fileId}.eab`;

/** Runs orders as jobs: requested ones, and automatic renewals. */
export function createOrders(deps: OrderDeps) {
  const { store, secrets, files, publish, clock, log, schedule } = deps;
  /** Jobs by the id of their certificate. */
  const working = new Map<number, string>();
  // One at a time: orders share ports and programs, and authorities count them.
  const inLine = createLine();
  const stopping = new AbortController();
  const changed = (): void => publish({ type: 'invalidate', resource: 'settings' });

  /** A session as the account of this certificate. */
  async function sessionFor(
    row: rows.CertificateRow,
    wish: CertificateWish,
    signal: AbortSignal,
  ): Promise<AcmeSession> {
    const hmacKey = secrets.open(sealOf(row.fileId), row.eabHmacKey) ?? '';
    if (wish.eabKid !== '' && hmacKey === '') throw new AcmeFailure('certificate.eabMissing');
    return openAccount({
      store: files,
      dialer: deps.dialer,
      wish,
      directoryUrl: await directoryUrlOf(wish),
      eab: wish.eabKid === '' ? null : { kid: wish.eabKid, hmacKey },
      signal,
    });
  }

  /** @returns PEM of key and chain */
  async function made(row: rows.CertificateRow, { signal, report }: RunningJob): Promise<string> {
    const wish = readWish(row.wanted);
    const { names, keyType, challenge } = wish;
    if (wish.source === 'selfSigned') return issueSelfSigned(names, keyType, clock());
    const step = (stage: string, done: number) => report({ done, total: STEPS.length + 1, stage });
    step('account', 0);
    const session = await sessionFor(row, wish, signal);
    return orderCertificate(session, {
      names,
      keyType,
      challenge,
      port: standardPort(challenge),
      showSeconds: challenge === 'dns-01' ? wish.dnsWaitSeconds + names.length * HOOK_SECONDS : 0,
      show: (proofs, until) => showProofs(deps, wish, proofs, until),
      onStep: (name) => step(name, STEPS.indexOf(name) + 1),
      signal,
    });
  }

  async function noteFailure(row: rows.CertificateRow, error: unknown, isUnasked: boolean): Promise<void> {
    const failure =
      error instanceof DomainError ? error : new AcmeFailure('certificate.refused', { text: 'unexpected error' });
    const failures = row.failures + 1;
    const nowMs = clock();
    const nextTryAtMs = nowMs + backOffMs(failures, failure instanceof AcmeFailure ? failure.retryAfterMs : 0);
    const { code, params } = failure;
    const reason = deps.textOf(failure);
    const lastFailure = JSON.stringify({
      at: nowMs,
      isUnasked,
      reason,
      code,
      params,
    } satisfies CertificateFailure);
    await store.write((trx) =>
      rows.changeCertificate(trx, row.id, { failures, nextTryAtMs, lastFailure, askedAtMs: 0 }),
    );
    // Reported once: the list shows the last failure, and the expiry is reported separately.
    if (!isUnasked || readFailure(row.lastFailure)?.isUnasked === true) return;
    const facts = await files.facts(row.fileId);
    publish({
      type: 'happened',
      kind: 'certificate.failed',
      facts: { name: row.name, error: reason, expiresAtMs: facts?.validTo ?? 0, nextTryAtMs },
    });
  }

  async function work(id: number, isUnasked: boolean, job: RunningJob): Promise<{ expiresAt: number }> {
    const row = await rows.findCertificate(store.reader, id);
    if (row === undefined) throw new DomainError('certificate.unknown');
    try {
      const pem = await made(row, job);
      failpoint('certificate.signed');
      await files.write(row.fileId, pem);
      failpoint('certificate.written');
    } catch (error) {
      // A cancelled order has not failed.
      if (!job.signal.aborted) await noteFailure(row, error, isUnasked);
      throw error;
    }
    const rested = { failures: 0, nextTryAtMs: clock() + REST_MS, lastFailure: '', askedAtMs: 0 };
    await store.write((trx) => rows.changeCertificate(trx, id, { ...rested, isObtained: 1, revokedPin: '' }));
    await deps.onWritten();
    const expiresAt = (await files.facts(row.fileId))?.validTo ?? 0;
    log.info('certificates.obtained', { name: row.name, expiresAtMs: expiresAt });
    return { expiresAt };
  }

  /** @returns id of the job @throws {DomainError} `certificate.busy` */
  function start({ id, name, askedAtMs }: rows.CertificateRow, isUnasked: boolean): string {
    requireIdle(id);
    // Registered before the job can end.
    working.set(id, '');
    const job = deps.jobs.start({
      kind: 'obtainCertificate',
      title: name,
      run: (running) =>
        inLine(async () => {
          running.signal.throwIfAborted();
          return work(id, isUnasked, running);
        }),
    });
    working.set(id, job.id);
    changed();
    void job.ended.then(async ({ state, isCancelling }) => {
      working.delete(id);
      changed();
      // A job interrupted by the panel's stop resumes at the next start.
      if (askedAtMs === 0 || state !== 'cancelled' || !isCancelling) return;
      await store.write((trx) => rows.changeCertificate(trx, id, { askedAtMs: 0 }));
    });
    return job.id;
  }

  /** Starts orders that admin commands have requested since the last look. */
  async function lookForCommands(): Promise<void> {
    for (const row of await rows.askedCertificates(store.reader)) if (!working.has(row.id)) start(row, false);
  }

  async function look(): Promise<void> {
    for (const row of await rows.allCertificates(store.reader)) {
      if (working.has(row.id)) continue;
      const facts = await files.facts(row.fileId);
      const dueAtMs = renewsAtMs({
        wish: readWish(row.wanted),
        facts,
        isObtained: row.isObtained === 1,
        isRevoked: facts !== null && facts.pin === row.revokedPin,
        nextTryAtMs: row.nextTryAtMs,
      });
      if (dueAtMs !== 0 && dueAtMs <= clock()) start(row, true);
    }
  }

  function requireIdle(id: number): void {
    if (working.has(id)) throw new DomainError('certificate.busy');
  }

  return {
    start,
    /** @throws {DomainError} `certificate.busy` */
    requireIdle,
    /** Id of the job working on a certificate; empty = none. */
    jobOf: (id: number): string => working.get(id) ?? '',

    /** Asks the authority to revoke. @throws {AcmeFailure} */
    revoke: (row: rows.CertificateRow): Promise<void> =>
      inLine(async () => {
        const { client } = await sessionFor(row, readWish(row.wanted), stopping.signal);
        const [leaf = ''] =
          /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/.exec(await files.read(row.fileId)) ?? [];
        await client.revokeCertificate(leaf);
      }),

    /** Starts automatic renewals, and cleans up after a killed panel. */
    begin: (): void => {
      void inLine(async () => {
        await files.sweep();
        await deps.hooks.begin(stopping.signal);
      });
      schedule.after(FIRST_LOOK_MS, look);
      schedule.every(LOOK_EVERY_MS, look);
      schedule.every(LOOK_FOR_COMMANDS_MS, lookForCommands);
    },

    close: (): void => stopping.abort(),
  };
}
