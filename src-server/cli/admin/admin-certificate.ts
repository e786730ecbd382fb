import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createAcmeChallenges } from '../../certificates/acme-challenges.ts';
import { DomainError } from '../../contract/domain-error.ts';
import { ValidationError } from '../../contract/envelope.ts';
import { toValidationIssues } from '../../contract/validation.ts';
import { createCertificateStore } from '../../domains/certificates/certificate-store.ts';
import { createDnsHooks } from '../../domains/certificates/challenges/dns-hooks.ts';
import { CertificateSave, DIRECTORIES, type Certificate } from '../../domains/certificates/contract.ts';
import { readFailure } from '../../domains/certificates/present.ts';
import { findCertificate } from '../../domains/certificates/repository.ts';
import { createCertificateService } from '../../domains/certificates/service.ts';
import { createJobService } from '../../domains/jobs/service.ts';
import { readRows } from '../../domains/settings/repository.ts';
import { fromStored, SETTING_KEYS } from '../../domains/settings/stored-values.ts';
import { createSay } from '../../http/texts.ts';
import { createGuardedDialer } from '../../net/guarded-dialer.ts';
import { createScheduler } from '../../schedule/scheduler.ts';
import { openSecrets } from '../../store/secrets/secret-key.ts';
import { ENGLISH } from '../../texts.ts';
import type { CommandDeps } from './command-deps.ts';

/** Options of `issue`, as typed. */
export interface IssueOptions {
  email: string;
  hasAgreed: boolean;
  /** Whether the directory may be in a private network. */
  allowsPrivate: boolean;
  challenge: string | undefined;
  /** A known authority, or the address of an ACME directory; absent = the first of {@link DIRECTORIES}. */
  directory: string | undefined;
  dnsHook: string;
}

export interface CertificateCommandDeps extends CommandDeps {
  isPanelRunning: () => boolean;
  issue: IssueOptions;
}

const LOOK_EVERY_MS = 500;

/**
 * `certificate list`, `self-signed NAME HOST…`, `issue NAME HOST…`, `renew CERTIFICATE`, `delete CERTIFICATE`.
 * @returns what goes to stdout: one line of JSON per certificate; null when the command is not one of these
 * @throws {DomainError} `certificate.*`
 */
export async function certificateCommand(
  deps: CertificateCommandDeps,
  verb: string,
  args: readonly string[],
): Promise<string | null> {
  const [name, ...hosts] = args;
  const certificates = await openCertificates(deps);
  try {
    if (verb === 'list' && name === undefined) return (await certificates.all()).map(lineOf).join('');
    if (name === undefined) return null;
    if (verb === 'self-signed' && hosts.length > 0) {
      const { id } = await certificates.save({ name, source: 'selfSigned', names: hosts });
      return lineOf(await certificates.made(id));
    }
    if (verb === 'issue' && hosts.length > 0) {
      const { id } = await certificates.save({ name, names: hosts, ...specOf(deps.issue) });
      return lineOf(await certificates.obtained(id));
    }
    if (hosts.length > 0) return null;
    if (verb === 'renew') return lineOf(await certificates.obtained((await certificates.named(name)).id));
    if (verb !== 'delete') return null;
    await certificates.remove((await certificates.named(name)).id);
    return '';
  } finally {
    await certificates.close();
  }
}

function specOf({ email, hasAgreed, allowsPrivate, challenge, directory, dnsHook }: IssueOptions): object {
  const isKnown = (DIRECTORIES as readonly (string | undefined)[]).includes(directory);
  return {
    email,
    termsAgreed: hasAgreed,
    allowPrivate: allowsPrivate,
    dnsHook,
    ...(challenge !== undefined && { challenge }),
    ...(directory !== undefined && (isKnown ? { directory } : { directory: 'custom', directoryUrl: directory })),
  };
}

function lineOf({ id, name, source, names, facts, renewsAt, file, usedBy, lastFailure }: Certificate): string {
  const day = (atMs: number): string => new Date(atMs).toISOString();
  const shown = {
    id,
    name,
    source,
    names,
    file,
    ...(facts !== null && { issuer: facts.issuer, expires: day(facts.validTo), pin: facts.pin }),
    ...(renewsAt > 0 && { renews: day(renewsAt) }),
    usedBy: usedBy.map(({ owner, name: inbound }) => (owner === 'inbound' ? `inbound ${inbound}` : owner)),
    ...(lastFailure !== null && { lastFailure: lastFailure.reason }),
  };
  return `${JSON.stringify(shown)}\n`;
}

/** The panel's own service over the command's store: orders run here, or in the running panel. */
async function openCertificates({ store, dataDir, log, say, isPanelRunning }: CertificateCommandDeps) {
  const secrets = await openSecrets({ dataDir, log, clock: Date.now });
  const { settings } = fromStored(await readRows(store.reader, SETTING_KEYS), secrets);
  const english = createSay(ENGLISH);
  const schedule = createScheduler({ clock: Date.now, log });
  const jobs = createJobService({ clock: Date.now, publish: () => undefined, log });
  const ended = new Map<string, Promise<unknown>>();
  const service = createCertificateService({
    store,
    secrets,
    dialer: createGuardedDialer({ log }),
    files: createCertificateStore(join(dataDir, 'cert')),
    hooks: createDnsHooks({ dataDir, log }),
    challenges: createAcmeChallenges(),
    listeners: () => [],
    whoHas: () => Promise.resolve(),
    onWritten: () => Promise.resolve(),
    serverFiles: () => [settings],
    jobs: {
      start(work) {
        const job = jobs.start(work);
        ended.set(work.title, job.ended);
        return job;
      },
    },
    textOf: ({ code, params }) => english(code, params),
    publish: () => undefined,
    schedule,
    clock: Date.now,
    log,
  });

  const all = async (): Promise<Certificate[]> => (await service.list()).certificates;

  /** The certificate after its last order. @throws {DomainError} when the order failed */
  async function made(id: number): Promise<Certificate> {
    const found = (await all()).find((each) => each.id === id);
    if (found === undefined) throw new DomainError('certificate.unknown');
    await ended.get(found.name);
    const row = await findCertificate(store.reader, id);
    const failure = readFailure(row?.lastFailure ?? '');
    if (failure !== null) throw new DomainError(failure.code ?? 'certificate.refused', failure.params ?? {});
    return (await all()).find((each) => each.id === id) ?? found;
  }

  return {
    all,
    made,
    async named(text: string): Promise<Certificate> {
      const found = (await all()).find(({ id, name }) => name === text || String(id) === text);
      if (found === undefined) throw new DomainError('certificate.unknown');
      return found;
    },
    async save(spec: object): Promise<{ id: number }> {
      const parsed = CertificateSave.safeParse(spec, { reportInput: true });
      if (!parsed.success) throw new ValidationError(toValidationIssues(parsed.error));
      return service.save(parsed.data);
    },
    remove: (id: number) => service.remove(id),
    /** The running panel holds the ports that authorities ask, and serves new certificates at once. */
    async obtained(id: number): Promise<Certificate> {
      if (isPanelRunning()) {
        say('The running panel obtains it …');
        await service.requestOrder(id);
        while (((await findCertificate(store.reader, id))?.askedAtMs ?? 0) > 0) {
          if (!isPanelRunning()) throw new DomainError('certificate.panelEnded');
          await sleep(LOOK_EVERY_MS);
        }
      } else {
        say('Obtaining it …');
        await service.obtain(id);
      }
      return made(id);
    },
    async close(): Promise<void> {
      service.close();
      await schedule.close();
    },
  };
}
