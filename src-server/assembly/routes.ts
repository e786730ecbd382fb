import { botRoutes } from '../domains/bot/routes.ts';
import type { BotService } from '../domains/bot/service.ts';
import type { BindContext } from '../http/bind.ts';
import type { SubscriptionService } from '../domains/subscriptions/service.ts';
import { certificateRoutes } from '../domains/certificates/routes.ts';
import { backupRoutes } from '../domains/backup/routes.ts';
import { importRoutes } from '../domains/import/routes.ts';
import { markOf } from '../domains/events/repository-watch.ts';
import { checklistRoutes } from '../domains/checklist/routes.ts';
import { createChecklist } from '../domains/checklist/service.ts';
import { isAtLeast } from '../core/config/core-version.ts';
import { clientIpRoutes } from '../domains/clientIps/routes.ts';
import { clientRoutes } from '../domains/clients/routes.ts';
import { countriesRoutes } from '../domains/countries/routes.ts';
import { coreFilesRoutes } from '../domains/coreFiles/routes.ts';
import { coreSettingsRoutes } from '../domains/coreSettings/routes.ts';
import { directoryRoutes } from '../domains/directory/routes.ts';
import { eventRoutes } from '../domains/events/routes.ts';
import { groupRoutes } from '../domains/groups/routes.ts';
import { hostRoutes } from '../domains/hosts/routes.ts';
import { inboundRoutes } from '../domains/inbounds/routes.ts';
import { journalRoutes } from '../domains/journal/routes.ts';
import { jobRoutes } from '../domains/jobs/routes.ts';
import { logRoutes } from '../domains/logs/routes.ts';
import { mailRoutes } from '../domains/mail/routes.ts';
import { metricsRoutes } from '../domains/metrics/routes.ts';
import { nodeRoutes } from '../domains/nodes/routes.ts';
import { outboundSubRoutes } from '../domains/outboundSubs/routes.ts';
import { panelUpdateRoutes } from '../domains/panelUpdate/routes.ts';
import { planRoutes } from '../domains/plans/routes.ts';
import { providerRoutes } from '../domains/providers/routes.ts';
import { realityScanRoutes } from '../domains/realityScan/routes.ts';
import { serverRoutes } from '../domains/server/routes.ts';
import { panelServerRoutes } from '../domains/servers/routes.ts';
import { sessionRoutes } from '../domains/session/routes.ts';
import { settingsRoutes } from '../domains/settings/routes.ts';
import { subscriptionRoutes } from '../domains/subscriptions/routes.ts';
import { tokenRoutes } from '../domains/tokens/routes.ts';
import { panelZone } from '../domains/traffic/enforcement/month-day.ts';
import { createHistoryService } from '../domains/traffic/history/history.ts';
import { liveSessionRoutes } from '../domains/liveSessions/routes.ts';
import { savedViewRoutes } from '../domains/savedViews/routes.ts';
import { createSavedViewService } from '../domains/savedViews/service.ts';
import { createLedgerService } from '../domains/traffic/ledger/ledger.ts';
import { createQuarantine } from '../domains/traffic/quarantine/quarantine.ts';
import { trafficRoutes } from '../domains/traffic/routes.ts';
import { webhookRoutes } from '../domains/webhooks/routes.ts';
import { SESSION_COOKIE } from '../http/guards/cookies.ts';
import { runsHere } from '../runtime/serving-place.ts';
import { openApiRoutes } from '../openapi/routes.ts';
import { PANEL_VERSION } from '../version.ts';
import type { createCertificates } from './certificates.ts';
import type { createCoreTools } from './core-tools.ts';
import type { createDirectory } from './directory.ts';
import type { Engine } from './engine.ts';
import type { Foundation } from './foundation.ts';
import type { openMachine } from './machine.ts';
import type { Notifying } from './notifying.ts';
import type { Records } from './records.ts';
import type { createServerTools } from './server-tools.ts';

export interface Parts {
  base: Foundation;
  engine: Engine;
  records: Records;
  machine: Awaited<ReturnType<typeof openMachine>>;
  coreTools: ReturnType<typeof createCoreTools>;
  serverTools: Awaited<ReturnType<typeof createServerTools>>;
  notifying: Notifying;
  directory: ReturnType<typeof createDirectory>;
  certificates: ReturnType<typeof createCertificates>;
}

/** Every call of the panel, in the order in which paths are matched. */
export function routesOf(
  { base, engine, records, machine, coreTools, serverTools, notifying, directory, certificates }: Parts,
  subscriptions: SubscriptionService,
  bot: BotService,
): ((ctx: BindContext) => void)[] {
  const { clock, log, store, publish, jobs, settings, session, tokens, servers } = base;
  const { nodes, traffic, clientIps } = engine;
  const { clients, groups, plans, hosts, inbounds, journal } = records;
  const { metrics, server } = machine;
  const { coreSettings, coreFiles, countries, providers, outboundSubs } = coreTools;
  const { certificateHashes, updates, scanner, logs, keys, backups, imports } = serverTools;
  return [
    (ctx) => sessionRoutes(ctx, session),
    (ctx) => tokenRoutes(ctx, tokens),
    (ctx) => settingsRoutes(ctx, settings),
    (ctx) => coreSettingsRoutes(ctx, coreSettings),
    (ctx) => outboundSubRoutes(ctx, outboundSubs),
    (ctx) => providerRoutes(ctx, providers),
    (ctx) => serverRoutes(ctx, server, keys, certificateHashes),
    (ctx) => metricsRoutes(ctx, metrics),
    (ctx) => coreFilesRoutes(ctx, coreFiles),
    (ctx) => countriesRoutes(ctx, countries),
    (ctx) => logRoutes(ctx, logs),
    (ctx) => backupRoutes(ctx, backups, log),
    (ctx) => importRoutes(ctx, imports),
    (ctx) => panelUpdateRoutes(ctx, updates),
    (ctx) => realityScanRoutes(ctx, scanner),
    (ctx) => jobRoutes(ctx, jobs),
    (ctx) => directoryRoutes(ctx, directory.service),
    (ctx) => certificateRoutes(ctx, certificates.service),
    (ctx) => inboundRoutes(ctx, inbounds),
    (ctx) => clientIpRoutes(ctx, clientIps),
    (ctx) =>
      trafficRoutes(ctx, {
        ledger: createLedgerService({ store, clock, publish }),
        history: createHistoryService({ store, clock, timeZone: () => panelZone(settings.current()) }),
        quarantine: createQuarantine({ store, clock, publish, log }),
        sessions: { ...traffic.sessions, takeFor: engine.endSessions },
      }),
    (ctx) => liveSessionRoutes(ctx, engine.liveSessions),
    (ctx) => savedViewRoutes(ctx, createSavedViewService({ store, clock })),
    (ctx) => subscriptionRoutes(ctx, subscriptions),
    (ctx) => botRoutes(ctx, bot),
    (ctx) => mailRoutes(ctx, notifying.mail, notifying.clientMail),
    // After every path that begins like a client's: a client may bear such a name.
    (ctx) => clientRoutes(ctx, clients, jobs),
    (ctx) => groupRoutes(ctx, groups),
    (ctx) => planRoutes(ctx, plans, jobs),
    (ctx) => journalRoutes(ctx, journal),
    (ctx) => hostRoutes(ctx, hosts),
    (ctx) => eventRoutes(ctx, notifying.events),
    (ctx) => checklistRoutes(ctx, checklistOf({ base, engine, machine })),
    (ctx) => webhookRoutes(ctx, notifying.webhooks),
    (ctx) => panelServerRoutes(ctx, servers),
    (ctx) => nodeRoutes(ctx, nodes, (change) => session.proveUnlessRecent(change)),
    (ctx) =>
      openApiRoutes(ctx, {
        version: PANEL_VERSION,
        basePath: settings.current().webBasePath,
        sessionCookie: SESSION_COOKIE,
      }),
  ];
}

/** The checklist over what the panel already knows: it asks no server. */
function checklistOf({ base, engine, machine }: Pick<Parts, 'base' | 'engine' | 'machine'>) {
  const { store, settings, publish, place } = base;
  const factory = settings.factoryDefaults();
  return createChecklist({
    settings,
    defaults: { webPort: Number(factory['webPort']), subPort: Number(factory['subPort']) },
    dismissed: {
      read: () => settings.hidden('checklistDismissed'),
      write: (names) => settings.setHidden('checklistDismissed', names),
    },
    async countCertificateWarnings() {
      const served = await machine.server.certificates();
      return served.filter(({ warnings }) => warnings.length > 0).length;
    },
    async openPorts() {
      const rows = await store.reader
        .selectFrom('inbounds')
        .select(['port', 'serverId'])
        .distinct()
        .where('enable', '=', 1)
        .where('nodeId', 'is', null)
        .orderBy('port')
        .execute();
      return [...new Set(rows.flatMap(({ port, serverId }) => (runsHere(place, serverId) ? [port] : [])))];
    },
    async newerCore() {
      const known = (await markOf(store.reader, 'update.core')) ?? '';
      const { version } = engine.core.status();
      return known === '' || version === '' || isAtLeast(version, known) ? '' : known;
    },
    publish,
  });
}
