import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseJsonObject } from './contract/json-text.ts';
import type { Logger } from './contract/logger.ts';
import { createEventBus, type PanelEvent } from './contract/events.ts';
import { defaultTemplate } from './core/config/default-template.ts';
import { configBuilder } from './core/config-builder.ts';
import { createCore } from './core/create-core.ts';
import { createKeyGenerators } from './core/keys/key-generators.ts';
import { backupRoutes } from './domains/backup/routes.ts';
import { importRoutes } from './domains/import/routes.ts';
import { createImportService } from './domains/import/service.ts';
import { createBackupService } from './domains/backup/service.ts';
import { clientIpRoutes } from './domains/clientIps/routes.ts';
import { createClientIpService } from './domains/clientIps/service.ts';
import { clientRoutes } from './domains/clients/routes.ts';
import { createClientService } from './domains/clients/service.ts';
import { downloadSources } from './core/binary/sources.ts';
import { createReleaseList } from './core/binary/release-list.ts';
import { coreFilesRoutes } from './domains/coreFiles/routes.ts';
import { createCoreFilesService } from './domains/coreFiles/service.ts';
import { coreSettingsRoutes } from './domains/coreSettings/routes.ts';
import { createCoreSettingsService } from './domains/coreSettings/service.ts';
import { createTemplateStore } from './domains/coreSettings/template-store.ts';
import { groupRoutes } from './domains/groups/routes.ts';
import { createGroupService } from './domains/groups/service.ts';
import { hostRoutes } from './domains/hosts/routes.ts';
import { createHostService } from './domains/hosts/service.ts';
import { findForeignUse } from './domains/inbounds/port-probe.ts';
import { startResetSchedule } from './domains/inbounds/reset-schedule.ts';
import { inboundRoutes } from './domains/inbounds/routes.ts';
import { createInboundService } from './domains/inbounds/service.ts';
import { jobRoutes } from './domains/jobs/routes.ts';
import { openJobJournal } from './domains/jobs/journal.ts';
import { createJobService } from './domains/jobs/service.ts';
import { limitCoreLogs } from './domains/logs/core-log-files.ts';
import { createLogRing } from './domains/logs/log-ring.ts';
import { logRoutes } from './domains/logs/routes.ts';
import { createLogService } from './domains/logs/service.ts';
import { openMetrics } from './domains/metrics/open-metrics.ts';
import { metricsRoutes } from './domains/metrics/routes.ts';
import { nodeRoutes } from './domains/nodes/routes.ts';
import { createNodeService } from './domains/nodes/service.ts';
import { outboundSubRoutes } from './domains/outboundSubs/routes.ts';
import { createOutboundSubService } from './domains/outboundSubs/service.ts';
import { panelUpdateRoutes } from './domains/panelUpdate/routes.ts';
import { createPanelUpdateService } from './domains/panelUpdate/service.ts';
import { commandUpdater, type Updater } from './domains/panelUpdate/updater.ts';
import { providerRoutes } from './domains/providers/routes.ts';
import { createProvidersService } from './domains/providers/service.ts';
import { createProbe } from './domains/realityScan/probe.ts';
import { realityScanRoutes } from './domains/realityScan/routes.ts';
import { createRealityScanService } from './domains/realityScan/service.ts';
import { certificateFilesIn } from './domains/server/certificate-files.ts';
import { inboundTransports } from './domains/server/repository.ts';
import { createCertificateHashes } from './domains/server/certificate-hash.ts';
import { announceCore } from './domains/server/core-announcements.ts';
import { coreCommand } from './domains/server/core-command.ts';
import { createMachine } from './domains/server/machine/machine.ts';
import { serverRoutes } from './domains/server/routes.ts';
import { createServerService } from './domains/server/service.ts';
import { createStatusFeed } from './domains/server/status-feed.ts';
import { sessionRoutes } from './domains/session/routes.ts';
import { createSessionService } from './domains/session/service.ts';
import { verifyTotp } from './domains/session/totp.ts';
import { settingsRoutes } from './domains/settings/routes.ts';
import { createSettingsService } from './domains/settings/service.ts';
import { createFetchStamps } from './domains/subscriptions/fetch-stamps.ts';
import { createLinkEngine } from './domains/subscriptions/link-engine.ts';
import { createRemoteSubscriptions } from './domains/subscriptions/remote-subscriptions.ts';
import { subscriptionRoutes } from './domains/subscriptions/routes.ts';
import { createSubscriptionService } from './domains/subscriptions/service.ts';
import { tokenRoutes } from './domains/tokens/routes.ts';
import { createTokenService } from './domains/tokens/service.ts';
import { createLedgerService } from './domains/traffic/ledger.ts';
import { createQuarantine } from './domains/traffic/quarantine.ts';
import { trafficRoutes } from './domains/traffic/routes.ts';
import { createTrafficService } from './domains/traffic/service.ts';
import { SESSION_COOKIE } from './http/cookies.ts';
import { createPanelServer, type Listening } from './http/create-http-server.ts';
import type { Mounted } from './http/bind.ts';
import { routesWithoutContract } from './http/registry.ts';
import { createSubServer } from './http/create-sub-server.ts';
import { webInterface } from './http/web-interface.ts';
import { createTranslate } from './http/texts.ts';
import { startDailyBackup } from './jobs/daily-backup.ts';
import { createScheduler } from './jobs/scheduler.ts';
import { createLiveHub } from './live/hub.ts';
import { systemLookup } from './net/checked-address.ts';
import { createGuardedDialer } from './net/guarded-dialer.ts';
import { hostsBeyond } from './net/lan-addresses.ts';
import { openApiRoutes } from './openapi/routes.ts';
import { createDesiredState } from './runtime/desired-state.ts';
import { createLocalRuntime } from './runtime/local-runtime.ts';
import { createPanelEgress } from './runtime/panel-egress.ts';
import { createRemoteRuntime, joinRuntimes } from './runtime/remote-runtime.ts';
import type { Runtime } from './runtime/runtime.ts';
import { readSubscribedOutbounds } from './runtime/subscribed-outbounds.ts';
import { openStore, type Store } from './store/open-store.ts';
import { confirmImport, isImportWaiting, makeImportFolder } from './store/waiting-import.ts';
import { openSecrets } from './store/secrets/secret-key.ts';
import { ENGLISH } from './texts.ts';
import { PANEL_VERSION } from './version.ts';

const LOOPBACK = '127.0.0.1';

export interface AppOptions {
  dataDir: string;
  /** The database of `dataDir`, when opening it has begun already; the app closes it. */
  store?: Promise<Store>;
  /** Folder of what comes with the product: `core/`. */
  resourcesDir: string;
  /** Folder of the built web interface; absent = the panel serves none. */
  webDir?: string;
  /** Executable of the core; null = look for one. */
  core: string | null;
  /** Settings that win for this run, from the command line. */
  overrides: { webListen?: string; subListen?: string; webPort?: number; subPort?: number };
  log: Logger;
  clock: () => number;
  /** The operator asked for a new start of this process. */
  onRestart: () => void;
  isHstsAllowed: boolean;
  /** Socket or pipe of the window that depends on this panel ({@link ListenRequest}); null = none does. */
  windowSocket?: string | null;
  /** Hears every event, as the window of this computer does. */
  onEvent?: (event: PanelEvent) => void;
  /** The updater of the desktop application; without it a package may name a command in `PANEL_UPDATE_COMMAND`. */
  updater?: Updater;
}

export interface App {
  readonly panel: Listening;
  /** Address of the subscription server; empty while it is switched off. */
  readonly sub: string;
  /** Credentials and one-time link of a first start, to be shown once; null afterwards. */
  readonly firstAdmin: { username: string; password: string; setupUrl: string } | null;
  /** Every endpoint that is mounted. */
  readonly mounted: Mounted;
  /** Routes and endpoints without a counterpart; both lists are empty in a sound panel. */
  routesWithoutContract(): ReturnType<typeof routesWithoutContract>;
  /** A one-time address that signs a browser of this computer's owner in. */
  signInLink(): string;
  /** Before the machine sleeps: what the core has counted is read and stored. */
  suspend(): Promise<void>;
  /** After the machine slept: one look at everything that fell due meanwhile. */
  resume(): Promise<void>;
  /** Resolves when the first start of the core is over, whatever came of it. */
  readonly coreBooted: Promise<void>;
  /** Final counters, core stopped, database checkpointed and backed up. */
  close(): Promise<void>;
}

/** What has to be closed, in the reverse order of being opened. */
type Closer = () => Promise<void> | void;

/**
 * The composition root: opens the store, builds every service, mounts the routes and listens. Requests are answered when
 * it resolves; the core starts meanwhile.
 * @throws {DomainError} `store.*` when the database cannot be opened, and what `listen` throws for a taken place.
 */
export async function createApp(options: AppOptions): Promise<App> {
  const closers: Closer[] = [];
  const closeAll = async (): Promise<void> => {
    for (const close of closers.splice(0).toReversed()) await close();
  };
  try {
    return { ...(await assemble(options, closers)), close: closeAll };
  } catch (error) {
    await closeAll();
    throw error;
  }
}

async function assemble(options: AppOptions, closers: Closer[]): Promise<Omit<App, 'close'>> {
  const { dataDir, clock } = options;
  const ring = createLogRing(options.log, clock);
  const { log } = ring;
  const store = await (options.store ?? openStore({ dataDir, clock, log, isPanel: true }));
  closers.push(() => store.close({ backup: true }));
  const secrets = await openSecrets({ dataDir, log, clock });
  const schedule = createScheduler({ clock, log });
  closers.push(() => schedule.close());
  const { publish, subscribe } = createEventBus((error) => log.error('events.listenerFailed', { error }));

  if (options.onEvent !== undefined) subscribe(options.onEvent);

  const english = createTranslate({ en: ENGLISH });
  const jobs = createJobService({
    clock,
    publish,
    log,
    textOf: ({ code, params }) => english('en', code, params),
    journal: await openJobJournal(join(dataDir, 'running-jobs.json'), log),
  });

  const hub = createLiveHub({ subscribe, clock, schedule, log });
  closers.push(() => hub.close());
  const hasListeners = (): boolean => hub.hasListeners();

  // Settings ask for a proof of the admin, sessions read settings: the two meet here.
  const settings = await createSettingsService({
    store,
    secrets,
    clock,
    log,
    publish,
    schedule,
    verifyTotp,
    stepUp: { verify: (caller, proof) => session.verifyStepUp(caller, proof) },
    requestRestart: options.onRestart,
    hasApiToken: () => tokens.hasEnabled(),
    isIpLimitUsable: () => clientIps.isUsable(),
    defaultTemplate: defaultTemplate(),
    isDevBuild: false,
  });
  settings.override(options.overrides);
  const session = createSessionService({
    store,
    settings: { current: () => settings.current(), secret: () => settings.hidden('secret') },
    clock,
    publish,
    log,
    onSessionsEnded: () => void hub.recheckSessions(),
  });
  const tokens = createTokenService({
    store,
    clock,
    publish,
    verifyStepUp: (caller, proof, address) => session.verifyStepUp(caller, proof, address),
  });
  const panelGuid = await settings.hidden('panelGuid');

  const templates = createTemplateStore(settings);
  const desired = createDesiredState(
    store,
    () => templates.read(),
    () => settings.current().panelOutbound,
  );
  const core = createCore({
    dataDir,
    resourcesDir: options.resourcesDir,
    binary: options.core ?? undefined,
    desired,
    builder: configBuilder,
    log,
    clock,
    schedule,
  });
  const dialer = createGuardedDialer({ log });
  // Nodes pass on what they hear, and every change asks for the nodes: what comes later is asked for late.
  const nodes = await createNodeService({
    store,
    secrets,
    dialer,
    values: settings,
    panelGuid,
    runtime: () => runtime,
    clients: () => clients.inboundClients,
    adoption: () => inbounds.adoption,
    hasListeners,
    enforce: () => traffic.enforce(),
    textOf: ({ code, params }) => english('en', code, params),
    publish,
    clock,
    schedule,
    log,
  });
  const remote = createRemoteRuntime(store, nodes.remote, clock);
  const local = createLocalRuntime(
    core,
    () => templates.read(),
    () => desired.framesOnly(),
  );
  const runtime: Runtime = joinRuntimes(local, remote);
  settings.onChange(({ changed }) => {
    if (!changed.has('panelOutbound')) return;
    runtime.apply({ everything: true }).catch((error: unknown) => log.error('egress.notApplied', { error }));
  });
  const traffic = createTrafficService({
    store,
    core,
    runtime,
    settings,
    recentAddresses: (emails) => clientIps.recentAddresses(emails),
    panelGuid,
    onReset: remote.stageReset,
    remoteOnline: nodes.online,
    publish,
    hasListeners,
    clock,
    schedule,
    log,
  });
  closers.push(() => traffic.close());
  const clientIps = createClientIpService({
    store,
    core,
    cutAt: (blocks) => traffic.sessions.cutAt(blocks),
    settings,
    panelGuid,
    onlineEmails: () => traffic.onlineEmails(),
    onlineOnNodes: () => nodes.online.byGuid(),
    clock,
    schedule,
    log,
  });
  closers.push(() => clientIps.close());
  closers.push(() => core.close());
  closers.push(announceCore({ core, publish, clock }));

  const clients = createClientService({
    store,
    runtime,
    traffic: traffic.port,
    sessions: { end: (users, choice) => traffic.sessions.take(users, choice, 'switched off by hand') },
    activeInbounds: () => ({ [panelGuid]: [...traffic.activeTags()] }),
    nearLimits: () => settings.current(),
    clock,
    publish,
    subscribe,
    onError: (error) => log.error('clients.failed', { error }),
  });
  const groups = createGroupService({ store, clock, publish });
  const hosts = createHostService({ store, clock, publish });
  const inbounds = createInboundService({
    store,
    runtime,
    clients: clients.inboundClients,
    traffic: traffic.port,
    templates,
    nodes: nodes.inboundNodes,
    hosts: hosts.inboundHosts,
    clock,
    publish,
    log,
    panelGuid: () => panelGuid,
    reservedPorts: () => [
      { port: settings.current().webPort, use: 'the web interface' },
      { port: settings.current().subPort, use: 'the subscription server' },
    ],
    hasGeoFile: (name) => existsSync(join(core.assetDir, name)),
    certificateFolder: join(dataDir, 'cert'),
    findForeignUse,
  });
  closers.push(() => nodes.close());
  const coreSettings = createCoreSettingsService({
    store,
    values: settings,
    templates,
    runtime,
    core,
    plan: (template) => core.plan(template),
    testOutbounds: core.testOutbounds,
    subscribedOutbounds: () => readSubscribedOutbounds(store),
    lookup: systemLookup,
    jobs,
    assetDir: core.assetDir,
    publish,
  });
  const metrics = await openMetrics({
    store,
    runningListen: () => core.metricsListen(),
    template: () => templates.read(),
    downThreshold: () => settings.current().outboundDownThreshold,
    onlineCount: () => traffic.onlineEverywhere().size,
    publish,
    clock,
    schedule,
    log,
  });
  closers.push(() => metrics.close());
  closers.push(() => jobs.close());
  let webProblem = (): string | null => null;
  let webAddresses = (): string[] => [];
  const feed = createStatusFeed({
    machine: createMachine({ dataDir, log }),
    core,
    panel: { version: PANEL_VERSION, guid: panelGuid, pid: process.pid },
    clock,
    schedule,
    publish,
    hasListeners,
    webProblem: () => webProblem(),
    onReading: (status) => metrics.sample(status),
  });
  await feed.start();
  const server = createServerService({
    core,
    feed,
    publish,
    webCertFiles: () => {
      const { webCertFile, webKeyFile } = settings.current();
      return { webCertFile, webKeyFile };
    },
    lanAddresses: () => webAddresses(),
  });
  const sources = downloadSources(process.env);
  const releases = createReleaseList({
    address: sources.releaseList,
    trustedHost: sources.releases.trustedHost,
    clock,
    onStale: (error) => log.warn('coreFiles.listStale', { error }),
  });
  const egress = createPanelEgress({
    target: () => settings.current().panelOutbound,
    bridgePort: (tag) => core.bridgePort(tag),
    readTemplate: () => templates.read(),
    readSubscribed: () => readSubscribedOutbounds(store),
    log,
  });
  /** For what the panel fetches; what it measures is dialled from this machine. */
  const fetcher = createGuardedDialer({ log, egress });
  const providers = createProvidersService({
    dialer: fetcher,
    values: settings,
    store,
    templates,
    runtime,
    interval: {
      read: () => settings.current().tunnelUpdateInterval,
      write: (tunnelUpdateInterval, requestId) => settings.save({ kind: 'local' }, { tunnelUpdateInterval }, requestId),
    },
    schedule,
    publish,
    clock,
    log,
    addresses: {
      tunnel: process.env['PANEL_TUNNEL_PROVIDER'] ?? '',
      vpn: process.env['PANEL_VPN_PROVIDER'] ?? '',
    },
  });
  const outboundSubs = createOutboundSubService({
    store,
    runtime,
    dialer: fetcher,
    refusedOutbounds: core.refusedOutbounds,
    templateTags: () => templates.outboundTags(),
    jobs,
    schedule,
    publish,
    clock,
    log,
  });
  closers.push(() => outboundSubs.close());
  const certificateHashes = createCertificateHashes({
    dialer,
    namedFiles: async () => [
      settings.current().webCertFile,
      ...(await inboundTransports(store)).flatMap((text) => certificateFilesIn(parseJsonObject(text) ?? {})),
    ],
  });
  const updateCommand = process.env['PANEL_UPDATE_COMMAND'] ?? '';
  const updates = createPanelUpdateService({
    version: PANEL_VERSION,
    releases: process.env['PANEL_RELEASES'] ?? '',
    dialer: fetcher,
    updater: options.updater ?? (updateCommand === '' ? null : commandUpdater(updateCommand, process.env)),
    statusFile: join(dataDir, 'update-status.json'),
    channel: {
      read: async () => (await settings.hidden('devChannelEnable')) === 'true',
      write: (isDev) => settings.setHidden('devChannelEnable', String(isDev)),
    },
    clock,
    log,
  });
  await updates.settle();
  const scanner = createRealityScanService({ probe: createProbe({ dialer }), jobs, log });
  const coreFiles = createCoreFilesService({ files: core.files, sources, releases, jobs, publish });
  const logDir = join(dataDir, 'logs');
  const logs = createLogService({ ring, template: () => templates.read(), logDir });
  limitCoreLogs({ template: () => templates.read(), logDir, schedule, log });
  const keys = createKeyGenerators({ runCore: coreCommand(core) });
  const backups = await createBackupService({ store, clock, log });
  const imports = createImportService({
    dataDir,
    backupFolder: store.backupFolder,
    secrets,
    runningJobs: () => jobs.list().flatMap(({ state, title }) => (state === 'running' ? [title] : [])),
    restartPanel: () => settings.restartPanel(),
    publish,
    clock,
    log,
  });

  const stamps = createFetchStamps({ store, schedule, clock, log });
  closers.push(() => stamps.close());
  const subscriptions = createSubscriptionService({
    store,
    settings,
    engine: createLinkEngine({ settings: () => settings.current(), nodeAddress: (id) => nodes.addressOf(id) }),
    remotes: createRemoteSubscriptions({ dialer: fetcher, clock, report: (url, error) => stamps.remote(url, error) }),
    onFetched: (clientId) => stamps.client(clientId),
    onlineEmails: () => traffic.onlineEverywhere(),
    clock,
    log,
  });

  const pages = options.webDir === undefined ? null : webInterface(options.webDir);
  const panelServer = createPanelServer({
    settings,
    auth: {
      session: (cookie) => session.session(cookie),
      bearer: (token) => tokens.authenticateBearer(token),
      visitorCsrfToken: (cookie) => session.visitorCsrfToken(cookie),
    },
    translate: english,
    log,
    clock,
    schedule,
    localHost: () => hostsBeyond(settings.current().subListen)[0] ?? null,
    clientAuthorities: await settings.hidden('nodeMtlsClientCAPem'),
    isHstsAllowed: options.isHstsAllowed,
    // Emptied at every start: what a killed panel had received would stay for ever elsewhere.
    uploadFolder: await makeImportFolder(dataDir),
    ...(pages === null ? {} : { pages }),
    mount: [
      (ctx) => sessionRoutes(ctx, session),
      (ctx) => tokenRoutes(ctx, tokens),
      (ctx) => settingsRoutes(ctx, settings),
      (ctx) => coreSettingsRoutes(ctx, coreSettings),
      (ctx) => outboundSubRoutes(ctx, outboundSubs),
      (ctx) => providerRoutes(ctx, providers),
      (ctx) => serverRoutes(ctx, server, keys, certificateHashes),
      (ctx) => metricsRoutes(ctx, metrics),
      (ctx) => coreFilesRoutes(ctx, coreFiles),
      (ctx) => logRoutes(ctx, logs),
      (ctx) => backupRoutes(ctx, backups, log),
      (ctx) => importRoutes(ctx, imports),
      (ctx) => panelUpdateRoutes(ctx, updates),
      (ctx) => realityScanRoutes(ctx, scanner),
      (ctx) => jobRoutes(ctx, jobs),
      (ctx) => inboundRoutes(ctx, inbounds),
      (ctx) => clientIpRoutes(ctx, clientIps),
      (ctx) =>
        trafficRoutes(ctx, {
          ledger: createLedgerService({ store, clock, publish }),
          quarantine: createQuarantine({ store, clock, publish, log }),
          sessions: traffic.sessions,
        }),
      (ctx) => subscriptionRoutes(ctx, subscriptions),
      // After whatever begins with the path of a client's call: a client may be named like one.
      (ctx) => clientRoutes(ctx, clients, jobs),
      (ctx) => groupRoutes(ctx, groups),
      (ctx) => hostRoutes(ctx, hosts),
      (ctx) => nodeRoutes(ctx, nodes),
      (ctx) =>
        openApiRoutes(ctx, {
          version: PANEL_VERSION,
          basePath: settings.current().webBasePath,
          sessionCookie: SESSION_COOKIE,
        }),
    ],
  });
  webProblem = () => panelServer.problem();
  panelServer.onUpgrade('/ws', (request, socket, head, who) => hub.handleUpgrade(request, socket, head, who));
  closers.push(() => panelServer.close());
  const sub = createSubServer({
    source: subscriptions,
    settings: () => settings.current(),
    schedule,
    clock,
    log,
  });
  closers.push(() => sub.close());
  // First of all: the servers wait for requests under way, and some of those wait for a job.
  closers.push(() => jobs.cancelAll());

  const firstAdmin = await session.ensureAdmin();
  // Whoever only opened a window has asked nobody in yet.
  if (firstAdmin !== null && typeof options.windowSocket === 'string')
    await settings.save({ kind: 'local' }, { webListen: LOOPBACK, subListen: LOOPBACK }, '');
  const { webListen, webPort } = settings.current();
  const panel = await panelServer.listen({
    host: webListen,
    port: webPort,
    privateSocket: options.windowSocket ?? privateSocketPath(dataDir),
    isWebOptional: typeof options.windowSocket === 'string',
  });
  const { pathname: webPath } = new URL(panel.url);
  webAddresses = () => hostsBeyond(panel.host).map((host) => `${panel.scheme}://${host}:${panel.port}${webPath}`);
  const subUrl = await sub.start();
  // "Any free one" is known by now, and links have to name it.
  const isAnySubPort = options.overrides.subPort === 0 && subUrl !== '';
  settings.override({ webPort: panel.port, ...(isAnySubPort ? { subPort: Number(new URL(subUrl).port) } : {}) });
  settings.onChange(({ changed }) => {
    sub.settingsChanged(changed).catch((error: unknown) => log.error('sub.restartFailed', { error }));
  });

  const timeZone = settings.current().timeLocation;
  startResetSchedule({
    schedule,
    timeZone: timeZone === 'Local' ? '' : timeZone,
    run: (period) => inbounds.runScheduledResets(period),
  });
  schedule.every(60_000, () => clients.peers.expire());
  schedule.every(60_000, () => clients.rest());
  startDailyBackup({ store, schedule, clock, log });
  const coreBooted = startCounting();
  await confirmImport(dataDir, clock());
  // A command of this machine's owner may have put one there.
  schedule.every(2_000, () => void (isImportWaiting(dataDir) && settings.restartPanel()));

  /** Whoever expired while the panel was off must not get in, so enforcement comes before the core. */
  async function startCounting(): Promise<void> {
    try {
      await traffic.enforce();
      await core.boot();
    } catch (error) {
      log.error('app.coreBoot', { error });
    }
    traffic.start();
    clientIps.start();
    nodes.start();
  }

  return {
    panel,
    sub: subUrl,
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
    signInLink: () => new URL(session.issueSetupPath(), panel.url).href,
    suspend: () => traffic.tick(),
    resume: () => traffic.tick(),
    coreBooted,
  };
}

/** Where the desktop window reaches this panel whatever its web settings are. */
function privateSocketPath(dataDir: string): string {
  return process.platform === 'win32'
    ? `\\\\.\\pipe\\switchyard-${Buffer.from(dataDir).toString('hex').slice(-60)}`
    : join(dataDir, 'panel.sock');
}
