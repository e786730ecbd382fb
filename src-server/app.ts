import { isDatabaseAway } from './contract/database-away.ts';
import { DomainError } from './contract/domain-error.ts';
import { createCertificates } from './assembly/certificates.ts';
import { createCoreTools } from './assembly/core-tools.ts';
import { createEngine } from './assembly/engine.ts';
import { createDirectory } from './assembly/directory.ts';
import { openFoundation } from './assembly/foundation.ts';
import { listen } from './assembly/listening.ts';
import { openMachine } from './assembly/machine.ts';
import type { AppOptions, Closers } from './assembly/options.ts';
import { createNotifying } from './assembly/notifying.ts';
import { createRecords } from './assembly/records.ts';
import { run } from './assembly/running.ts';
import { createServerTools } from './assembly/server-tools.ts';
import type { Parts } from './assembly/routes.ts';
import { serveBeside } from './assembly/several-servers/serving-beside.ts';
import { tellCommits } from './assembly/several-servers/standing-by.ts';
import { startWatching } from './assembly/watching.ts';
import { createServing, type Serving } from './assembly/serving.ts';
import type { OwnListener } from './domains/certificates/challenges/challenge-listener.ts';
import type { Listening } from './http/listeners/create-http-server.ts';
import type { Mounted } from './http/bind.ts';
import { routesWithoutContract } from './http/registry.ts';

export interface App {
  readonly panel: Listening;
  /** Address of the subscription server; empty while it is switched off. */
  readonly sub: string;
  /** Credentials and one-time link of a first start, to be shown once; null afterwards. */
  readonly firstAdmin: { username: string; password: string; setupUrl: string } | null;
  /** The services it is made of. */
  readonly parts: Parts & Pick<Serving, 'bot'>;
  /** Every mounted endpoint. */
  readonly mounted: Mounted;
  /** Routes without an endpoint and endpoints without a route; both lists are empty in a sound panel. */
  routesWithoutContract(): ReturnType<typeof routesWithoutContract>;
  /** A one-time address that signs in a browser of this computer's owner. */
  signInLink(): string;
  /** Before the machine sleeps: reads and stores the core's counters. */
  suspend(): Promise<void>;
  /** After the machine slept: runs once everything that fell due meanwhile. */
  resume(): Promise<void>;
  /** Resolves when the core's first start has ended, successfully or not. */
  readonly coreBooted: Promise<void>;
  /** Final counters, core stopped, database checkpointed and backed up. */
  close(): Promise<void>;
}

/** What a standby panel has collected is not written down. */
const isOfStandby = (error: unknown): boolean => error instanceof DomainError && error.code === 'store.standby';

/**
 * The composition root: opens the store, builds every service, mounts the routes and listens. Requests are answered
 * when it resolves, while the core is still starting.
 * @throws {DomainError} `store.*` when the database cannot be opened, and what `listen` throws for an address in use.
 */
export async function createApp(options: AppOptions): Promise<App> {
  const closers: Closers = [];
  const closeAll = async (): Promise<void> => {
    const failures: unknown[] = [];
    for (const close of closers.splice(0).toReversed()) {
      try {
        await close();
      } catch (error) {
        // Writes that still have to happen wait for the next start; the core and the rest end all the same.
        if (!isDatabaseAway(error) && !isOfStandby(error)) failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  };
  try {
    return { ...(await assemble(options, closers)), close: closeAll };
  } catch (error) {
    await closeAll();
    throw error;
  }
}

async function assemble(options: AppOptions, closers: Closers): Promise<Omit<App, 'close'>> {
  const base = await openFoundation(options, closers, {
    isIpLimitUsable: () => engine.clientIps.isUsable(),
    requireFreePort: (listen, port) => records.portUse.requireFreeForPanel(listen, port),
    isRightElsewhere: (username, password) => directory.isRightPassword(username, password),
  });
  const engine = await createEngine(base, {
    clients: () => records.clients.inboundClients,
    adoption: () => records.inbounds.adoption,
    rename: (...args) => records.clients.rename(...args),
  });
  const records = createRecords(base, engine, (keys) => {
    notifying.clientMail.created(keys).catch((error: unknown) => base.log.error('mail.linksNotQueued', { error }));
  });
  closers.push(() => engine.nodes.close());
  const web = {
    problem: (): string | null => null,
    addresses: (): string[] => [],
    listeners: (): OwnListener[] => [],
    follow: async (): Promise<void> => {},
  };
  const machine = await openMachine(base, engine, {
    webProblem: () => web.problem(),
    webAddresses: () => web.addresses(),
  });
  const coreTools = createCoreTools(base, engine, records);
  const serverTools = await createServerTools(base, engine, coreTools.fetcher);
  const notifying = await createNotifying(base, coreTools.fetcher);
  const directory = createDirectory(base, engine, records);
  const certificates = createCertificates(base, records, coreTools.fetcher, {
    listeners: () => web.listeners(),
    follow: () => web.follow(),
  });
  const parts = { base, engine, records, machine, coreTools, serverTools, notifying, directory, certificates };
  const serving = await createServing(parts);
  web.problem = () => serving.panelServer.problem();
  web.listeners = serving.listeners;
  web.follow = serving.followCertificates;
  const isOn = (): boolean => base.settings.current().tgBotEnable;
  notifying.events.register(serving.bot.channel, { setting: 'tgEnabledEvents', isOn });
  // First of all: the servers wait for open requests, and some of those wait for a job.
  closers.push(() => base.jobs.cancelAll());

  const { firstAdmin, panel, sub, webAddresses } = await listen(base, serving);
  web.addresses = webAddresses;
  const { coreBooted } = base.standby === null ? await work() : standBy();
  const { panelServer } = serving;

  async function work(): Promise<{ coreBooted: Promise<void> }> {
    const started = await run(base, engine, records);
    // What was committed meanwhile, with its response lost, has not reached the core.
    base.store.onBack?.(() => {
      engine.runtime
        .apply({ everything: true })
        .catch((error: unknown) => base.log.error('app.coreNotFollowed', { error }));
    });
    startWatching(parts);
    serving.bot.start();
    await serving.masters.start();
    directory.service.start();
    certificates.service.start();
    return started;
  }

  function standBy(): { coreBooted: Promise<void> } {
    tellCommits(base);
    return serveBeside(base, engine);
  }

  return {
    parts: { ...parts, bot: serving.bot },
    panel,
    sub,
    mounted: panelServer.mounted,
    routesWithoutContract: () => routesWithoutContract(panelServer.router, panelServer.mounted),
    firstAdmin:
      firstAdmin === null
        ? null
        : {
            username: firstAdmin.username,
            password: firstAdmin.password,
            setupUrl: new URL(firstAdmin.setupPath, panel.url).href,
          },
    signInLink: () => new URL(base.session.issueSetupPath(), panel.url).href,
    suspend: () => engine.traffic.tick(),
    resume: () => engine.traffic.tick(),
    coreBooted,
  };
}
