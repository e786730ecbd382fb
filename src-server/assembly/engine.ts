import { configBuilder } from '../core/config-builder.ts';
import { createCore as createMachineCore } from '../core/create-core.ts';
import { createClientIpService } from '../domains/clientIps/service.ts';
import { createTemplateStore } from '../domains/coreSettings/template-store.ts';
import { installerAddress } from '../domains/nodes/enrolment/installer.ts';
import { createNodeService } from '../domains/nodes/service.ts';
import { announceCore } from '../domains/server/core-announcements.ts';
import { createLiveSessionService } from '../domains/liveSessions/service.ts';
import type { SessionEnder } from '../domains/traffic/sessions/end-sessions.ts';
import { createTrafficService } from '../domains/traffic/service.ts';
import { createGuardedDialer } from '../net/guarded-dialer.ts';
import { createKnownHosts } from '../net/known-hosts.ts';
import { createDesiredState } from '../runtime/desired-state.ts';
import { createLocalRuntime } from '../runtime/local-runtime.ts';
import { createRemoteRuntime, joinRuntimes } from '../runtime/remote-runtime.ts';
import { createPanelEgress, nodeBridge } from '../runtime/panel-egress.ts';
import { notifyServers } from '../runtime/other-servers.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { readSubscribedOutbounds } from '../runtime/subscribed-outbounds.ts';
import { storeBesideActive } from '../store/beside-active.ts';
import type { Foundation } from './foundation.ts';
import type { NodeServiceDeps } from '../domains/nodes/node-parts.ts';

/** Services that are referred to before they exist. */
type Late = Pick<NodeServiceDeps, 'clients' | 'adoption' | 'rename'>;

export type Engine = Awaited<ReturnType<typeof createEngine>>;

/** What moves bytes and counts them: this machine's core, the nodes, and the accounting of both. */
export async function createEngine(base: Foundation, late: Late) {
  const { options, closers, dataDir, clock, monotonic, log, store, secrets, schedule, publish, english, hasListeners } =
    base;
  const { settings, jobs, place, edgeSchedule } = base;
  // Beside the active panel, a standby's core serves and counts as a source of its own.
  const serving = place.isStandby
    ? { store: storeBesideActive(store), schedule: edgeSchedule, panelGuid: base.coreSource }
    : { store, schedule, panelGuid: base.panelGuid };
  const { panelGuid } = base;
  const templates = createTemplateStore(settings);
  let trialOutbound = '';
  const desired = createDesiredState(
    store,
    () => templates.read(),
    () => settings.current().panelOutbound,
    () => trialOutbound,
    place,
  );
  const { createCore = createMachineCore } = options;
  const core = createCore({
    dataDir,
    resourcesDir: options.resourcesDir,
    binary: options.core ?? undefined,
    desired,
    builder: configBuilder,
    log,
    clock,
    schedule: serving.schedule,
  });
  const knownHosts = createKnownHosts(options.lookup);
  const dialer = createGuardedDialer({ log, lookup: knownHosts.lookup });
  // Nodes pass on what they hear, and every change notifies the nodes: later services are looked up lazily.
  const nodes = await createNodeService({
    store,
    secrets,
    dialer,
    values: settings,
    panelGuid,
    runtime: () => runtime,
    clients: late.clients,
    adoption: late.adoption,
    rename: late.rename,
    addresses: () => clientIps,
    egressTo: (nodeId, outboundTag) =>
      createPanelEgress({
        target: () => outboundTag,
        bridge: nodeBridge(nodeId).tag,
        takesOwnNetwork: true,
        bridgePort: (tag) => core.bridgePort(tag),
        readTemplate: () => templates.read(),
        readSubscribed: () => readSubscribedOutbounds(store),
        log,
      })(),
    async tryOutbound(outboundTag) {
      trialOutbound = outboundTag;
      await runtime.apply({ everything: true });
    },
    installer: installerAddress(process.env['PANEL_DOWNLOADS'] ?? ''),
    hasListeners,
    enforce: () => traffic.enforce(),
    textOf: ({ code, params }) => english(code, params),
    publish,
    jobs,
    clock,
    monotonic,
    schedule,
    log,
  });
  const remote = createRemoteRuntime(store, nodes.remote, clock);
  const local = createLocalRuntime(
    core,
    () => templates.read(),
    () => desired.framesOnly(),
  );
  const { serverId } = place;
  const runtime: Runtime = joinRuntimes(local, remote, async (trx, change) => {
    if (serverId !== null && !place.isStandby) await notifyServers(trx, serverId, change);
  });
  settings.onChange(({ changed }) => {
    if (!changed.has('panelOutbound')) return;
    runtime.apply({ everything: true }).catch((error: unknown) => log.error('egress.notApplied', { error }));
  });
  const traffic = createTrafficService({
    dataDir,
    store,
    core,
    runtime,
    settings,
    recentAddresses: (emails) => clientIps.recentAddresses(emails),
    panelGuid,
    coreSource: base.coreSource,
    place,
    onReset: (...reset) => remote.stageReset(...reset),
    remoteOnline: nodes.online,
    publish,
    hasListeners,
    clock: base.steadyClock,
    wallClock: clock,
    monotonic,
    schedule: serving.schedule,
    log,
  });
  closers.push(() => traffic.close());
  const endSessions: SessionEnder['takeFor'] = async (emails, choice, cause) => {
    await nodes.endSessions(emails, choice);
    return traffic.sessions.takeFor(emails, choice, cause);
  };
  const liveSessions = createLiveSessionService({
    store,
    panelGuid,
    here: { emails: () => traffic.onlineEmails(), tags: () => traffic.activeTags() },
    there: nodes.online,
    end: (emails, how) => endSessions(emails, how, 'ended by hand'),
    clock,
    monotonic,
    schedule,
  });
  closers.push(() => liveSessions.close());
  const clientIps = createClientIpService({
    ...serving,
    core,
    publish,
    cutAt: (blocks) => traffic.sessions.cutAt(blocks),
    settings,
    onlineEmails: () => traffic.onlineEmails(),
    onlineOnNodes: () => nodes.online.byGuid(),
    clock,
    log,
  });
  closers.push(() => clientIps.close());
  closers.push(() => core.close());
  closers.push(announceCore({ core, publish, clock }));

  return { templates, core, dialer, knownHosts, nodes, runtime, traffic, endSessions, liveSessions, clientIps };
}
