import { DATABASE_AWAY } from '../../contract/database-away.ts';
import type { Logger } from '../../contract/logger.ts';
import { createMailStops } from '../../domains/mail/mail-stops.ts';
import { peekHidden } from '../../domains/settings/hidden-settings.ts';
import type { Settings } from '../../domains/settings/contract.ts';
import { createSnapshot } from '../../domains/settings/snapshot.ts';
import { createLinkEngine } from '../../domains/subscriptions/entries/link-engine.ts';
import { createFetchStamps } from '../../domains/subscriptions/fetch-stamps.ts';
import { createRemoteSubscriptions } from '../../domains/subscriptions/remote/remote-subscriptions.ts';
import { createSubscriptionService } from '../../domains/subscriptions/service.ts';
import { SEEN_WITHIN_MS } from '../../domains/traffic/live/online.ts';
import { createSubServer } from '../../http/sub/create-sub-server.ts';
import { createGuardedDialer } from '../../net/guarded-dialer.ts';
import { createScheduler, type Scheduler } from '../../schedule/scheduler.ts';
import type { Store } from '../../store/open-store.ts';
import type { Secrets } from '../../store/secrets/secrets.ts';
import { mailPages } from '../mail-pages.ts';
import type { AppOptions } from '../options.ts';

/** No response depends on a secret setting, so none is opened and none is missed. */
const NO_SECRETS: Secrets = {
  seal: () => '',
  open: () => '',
};

export interface SubscriptionServer {
  /** Its address; empty while subscriptions are switched off. */
  url: string;
  /** What its operator has to fix; it serves as far as it can meanwhile. */
  complaints: readonly ('noKey' | 'noCertificate')[];
  /** Lets open requests finish and writes down the noted fetches. */
  close(): Promise<void>;
}

/**
 * The subscription server alone: it reads what a panel writes, and none of its state has to outlive the process. It
 * runs no core and no scheduled work.
 * @param options.reading the panel's database or a replica of it
 * @param options.noting where fetches are written down, when it is reachable; null = they are not
 * @param options.secrets of the panel's data folder, for the addresses at which clients stop e-mails
 * @param options.onCommit takes the listener to call after each commit
 * @throws {DomainError} and system errors for an address in use
 */
export async function createSubscriptionServer(options: {
  reading: Store;
  noting: Pick<Store, 'write'> | null;
  secrets: Secrets;
  overrides: AppOptions['overrides'];
  onCommit: (look: () => void) => void;
  clock: () => number;
  log: Logger;
  /** By default, the timers of this process. It is closed with the server. */
  schedule?: Scheduler;
}): Promise<SubscriptionServer> {
  const { reading, noting, secrets, clock, log } = options;
  const store: Store = {
    ...reading,
    write: async (work) => {
      if (noting === null) throw Object.assign(new Error('no primary is named'), { code: DATABASE_AWAY });
      return await noting.write(work);
    },
  };
  const schedule = options.schedule ?? createScheduler({ clock, log });
  const settings = await createSnapshot({ store, secrets: NO_SECRETS, clock, log });
  settings.override(options.overrides);
  const stamps = noting === null ? null : createFetchStamps({ store, schedule, clock, log });
  const source = createSubscriptionService({
    store,
    settings,
    engine: createLinkEngine({ settings: () => settings.current() }),
    remotes: createRemoteSubscriptions({
      dialer: createGuardedDialer({ log }),
      clock,
      report: (url, error) => stamps?.remote(url, error),
    }),
    onFetched: (clientId) => stamps?.client(clientId),
    isOnline: ({ lastOnlineAtMs }) => clock() - lastOnlineAtMs < SEEN_WITHIN_MS,
    clock,
    log,
  });
  const peek = (): Promise<string | null> => peekHidden(store.reader, secrets, 'secret');
  const hasKey = (await peek()) !== null;
  const secret = async (): Promise<string> => (await peek()) ?? '';
  const sub = createSubServer({
    source: { ...source, mail: hasKey ? mailPages(createMailStops({ store, secret, clock })) : null },
    settings: () => settings.current(),
    schedule,
    clock,
    log,
    beforeEach: () => settings.refresh(),
  });

  async function close(): Promise<void> {
    await sub.close();
    await stamps?.close().catch((error: unknown) => log.warn('sub.stampsFailed', { error }));
    await schedule.close();
  }

  try {
    const url = await sub.start();
    if (options.overrides.subPort === 0 && url !== '') settings.override({ subPort: Number(new URL(url).port) });
    settings.onChange(({ changed }) => {
      sub.settingsChanged(changed).catch((error: unknown) => log.error('sub.restartFailed', { error }));
    });
    options.onCommit(() => void settings.refresh());
    return { url, complaints: complaintsAbout(settings.current(), hasKey, sub.speaksTls()), close };
  } catch (error) {
    await close();
    throw error;
  }
}

function complaintsAbout(
  { subEnable, subCertFile, subKeyFile, smtpEnable }: Settings,
  hasKey: boolean,
  speaksTls: boolean,
): ('noKey' | 'noCertificate')[] {
  const wantsTls = subEnable && (subCertFile !== '' || subKeyFile !== '');
  return [
    ...(smtpEnable && !hasKey ? (['noKey'] as const) : []),
    ...(wantsTls && !speaksTls ? (['noCertificate'] as const) : []),
  ];
}
