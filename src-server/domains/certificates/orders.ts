import type { Basics } from '../basics.ts';
import { createLine } from '../../concurrency.ts';
import { DomainError } from '../../contract/domain-error.ts';
import type { GuardedDialer } from '../../net/guarded-dialer.ts';
import type { Secrets } from '../../store/secrets/secrets.ts';
import type { RunningJob } from '../jobs/service.ts';
import type { CertificateStore } from './certificate-store.ts';
import type { ProofDeps } from './challenges/show-proofs.ts';
import { createIssuer } from './issue-certificate.ts';
import { obtainCertificate } from './obtain-certificate.ts';
import { renewsAtMs } from './renewal-rules.ts';
import * as rows from './repository.ts';
import { readSpec } from './certificate-spec.ts';

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
/** A person waits at the command that requested the order. */
const LOOK_FOR_COMMANDS_MS = 2_000;

/** Context under which the key of an external account is sealed. */
export const sealOf = (fileId: string): string => `certificate.${fileId}.eab`;

/** Runs orders as jobs: requested ones, and automatic renewals. */
export function createOrders(deps: OrderDeps) {
  const { store, secrets, files, publish, clock, schedule } = deps;
  /** Jobs by the id of their certificate. */
  const working = new Map<number, string>();
  // One at a time: orders share ports and programs, and authorities count them.
  const inLine = createLine();
  const stopping = new AbortController();
  const issuer = createIssuer({ ...deps, eabKeyOf: (row) => secrets.open(sealOf(row.fileId), row.eabHmacKey) ?? '' });
  const changed = (): void => publish({ type: 'invalidate', resource: 'settings' });

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
          return obtainCertificate({ ...deps, issuer }, id, isUnasked, running);
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
    for (const row of await rows.requestedCertificates(store.reader)) if (!working.has(row.id)) start(row, false);
  }

  async function look(): Promise<void> {
    for (const row of await rows.allCertificates(store.reader)) {
      if (working.has(row.id)) continue;
      const facts = await files.facts(row.fileId);
      const dueAtMs = renewsAtMs({
        spec: readSpec(row.wanted),
        facts,
        isObtained: row.isObtained === 1,
        isRevoked: facts !== null && facts.pin === row.revokedPin,
        nextTryAtMs: row.nextTryAtMs,
        nowMs: clock(),
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
        const { client } = await issuer.sessionFor(row, readSpec(row.wanted), stopping.signal);
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
