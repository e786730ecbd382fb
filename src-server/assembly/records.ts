import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createClientService } from '../domains/clients/service.ts';
import { createFreePlaces } from '../domains/coreSettings/free-places.ts';
import { createGroupService } from '../domains/groups/service.ts';
import { createHostService } from '../domains/hosts/service.ts';
import { findForeignUse as tryPlace } from '../net/port-probe.ts';
import { createPortUse } from '../domains/inbounds/ports/port-use.ts';
import { createJournalService } from '../domains/journal/service.ts';
import { createInboundService } from '../domains/inbounds/service.ts';
import { renameInSettings } from '../domains/settings/rename-tag.ts';
import { createPlanService } from '../domains/plans/service.ts';
import { metricsListenOf } from '../domains/metrics/core-metrics.ts';
import { portOf } from '../core/config/inbound/listen-address.ts';
import type { Engine } from './engine.ts';
import type { Foundation } from './foundation.ts';

export type Records = ReturnType<typeof createRecords>;

/** What an operator keeps: clients, groups, hosts, inbounds. */
export function createRecords(
  base: Foundation,
  engine: Engine,
  /** Receives the folded e-mails of new clients. */
  onClientsCreated: (keys: readonly string[]) => void,
) {
  const { dataDir, clock, log, store, publish, subscribe, schedule, jobs, settings, panelGuid, place, servers } = base;
  const { findForeignUse = tryPlace } = base.options;
  const { templates, core, nodes, runtime, traffic } = engine;
  const clients = createClientService({
    store,
    runtime,
    traffic: traffic.port,
    sessions: { end: (users, choice) => traffic.sessions.take(users, choice, 'switched off by hand') },
    jobs,
    activeInbounds: () => ({ ...nodes.online.activeByGuid(), [panelGuid]: [...traffic.activeTags()] }),
    nearLimits: () => settings.current(),
    noteMaster: nodes.noteMaster,
    onCreated: onClientsCreated,
    clock,
    publish,
    subscribe,
    onError: (error) => log.error('clients.failed', { error }),
  });
  const groups = createGroupService({ store, clock, publish });
  const plans = createPlanService({ store, clients, clock, publish });
  const hosts = createHostService({ store, clock, publish });
  // Saved addresses are listened on after the next start.
  const reservedPorts = () =>
    [settings.current(), settings.stored()].flatMap(({ webPort, subPort }) => [
      { port: webPort, use: 'the web interface' },
      { port: subPort, use: 'the subscription server' },
    ]);
  const portUse = createPortUse({
    store,
    runtime,
    reservedPorts,
    findForeignUse,
    metricsPort: async () => portOf(metricsListenOf(await templates.read())),
  });
  const requireFreePlaces = createFreePlaces({
    templates,
    requireFreePort: (listen, port) => portUse.requireFreeForCore(listen, port),
    requireFreeListener: (listener) => portUse.requireFreeForTemplate(listener),
  });
  const inbounds = createInboundService({
    store,
    runtime,
    clients: clients.inboundClients,
    traffic: traffic.port,
    templates,
    renameInSettings,
    nodes: nodes.inboundNodes,
    hosts: hosts.inboundHosts,
    clock,
    publish,
    log,
    place,
    isServerKnown: async (id) => (await servers?.isKnown(id)) === true,
    panelGuid: () => panelGuid,
    reservedPorts,
    hasGeoFile: (name) => existsSync(join(core.assetDir, name)),
    certificateFolder: join(dataDir, 'cert'),
    findForeignUse,
  });

  const journal = createJournalService({
    store,
    runtime,
    traffic: traffic.port,
    sessions: { end: (users, choice) => traffic.sessions.take(users, choice, 'taken back') },
    settings,
    clients: clients.restored,
    templates,
    renameInSettings,
    inbounds,
    requireFreePlaces,
    defaultTemplate: settings.defaultTemplate(),
    textOf: ({ code, params }) => base.english(code, params),
    publish,
    clock: base.steadyClock,
    schedule,
  });

  return { clients, groups, plans, hosts, inbounds, portUse, requireFreePlaces, journal };
}
