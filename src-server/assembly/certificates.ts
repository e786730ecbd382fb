import { join } from 'node:path';
import { createAcmeChallenges } from '../certificates/acme-challenges.ts';
import { createCertificateStore } from '../domains/certificates/certificate-store.ts';
import type { OwnListener } from '../domains/certificates/challenges/challenge-listener.ts';
import { createDnsHooks } from '../domains/certificates/challenges/dns-hooks.ts';
import { createCertificateService } from '../domains/certificates/service.ts';
import type { GuardedDialer } from '../net/guarded-dialer.ts';
import type { Foundation } from './foundation.ts';
import type { Records } from './records.ts';

/** Known only once the servers are made. */
interface Late {
  /** The panel's own listeners at this moment. */
  listeners: () => readonly OwnListener[];
  /** Makes them load changed certificates. */
  follow: () => Promise<void>;
}

/** The certificates kept by name. */
export function createCertificates(
  base: Foundation,
  { portUse }: Records,
  dialer: GuardedDialer,
  { listeners, follow }: Late,
) {
  const { closers, dataDir, clock, log, store, secrets, schedule, settings, publish, jobs, english } = base;
  const challenges = createAcmeChallenges();
  const service = createCertificateService({
    store,
    secrets,
    dialer,
    files: createCertificateStore(join(dataDir, 'cert')),
    hooks: createDnsHooks({ dataDir, log }),
    challenges,
    listeners,
    onWritten: follow,
    whoHas: (address, port) => portUse.requireFreeForPanel(address, port),
    serverFiles: () => [settings.current(), settings.stored()],
    jobs,
    textOf: ({ code, params }) => english(code, params),
    publish,
    schedule,
    clock,
    log,
  });
  closers.push(() => service.close());
  return { service, challenges };
}
