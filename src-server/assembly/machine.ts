import { join } from 'node:path';
import { openMetrics } from '../domains/metrics/open-metrics.ts';
import { createMachine } from '../domains/server/machine/machine.ts';
import { servingInbounds } from '../domains/server/repository.ts';
import { createServedCertificates } from '../domains/server/served-certificates.ts';
import { createServerService } from '../domains/server/service.ts';
import { createStatusFeed } from '../domains/server/status-feed.ts';
import { ownCertificateWarnings } from '../domains/settings/checks/certificate-warnings.ts';
import { ownHosts } from '../net/lan-addresses.ts';
import { runsHere } from '../runtime/serving-place.ts';
import { PANEL_VERSION } from '../version.ts';
import type { Engine } from './engine.ts';
import type { Foundation } from './foundation.ts';

/** Known only once the servers listen. */
interface Late {
  /** Why the web interface cannot be reached from outside; null = it can. */
  webProblem: () => string | null;
  webAddresses: () => string[];
}

/** State of this machine and its core: readings, histories, manual actions on the core. */
export async function openMachine(base: Foundation, { core, traffic, templates }: Engine, late: Late) {
  const { closers, dataDir, clock, log, store, schedule, publish, jobs, hasListeners, settings, panelGuid } = base;
  const { edgeSchedule, standby, place } = base;
  const metrics = await openMetrics({
    store,
    runningListen: () => core.metricsListen(),
    template: () => templates.read(),
    downThreshold: () => settings.current().outboundDownThreshold,
    onlineCount: () => traffic.onlineEverywhere().size,
    publish,
    clock: base.steadyClock,
    schedule,
    log,
  });
  closers.push(() => metrics.close());
  closers.push(() => jobs.close());
  const feed = createStatusFeed({
    machine: createMachine({ dataDir, log }),
    core,
    panel: { version: PANEL_VERSION, guid: panelGuid, pid: process.pid },
    clock,
    schedule: edgeSchedule,
    publish,
    hasListeners,
    webProblem: late.webProblem,
    active: () => standby?.active() ?? null,
    onReading: (status) => {
      if (standby === null) metrics.sample(status);
    },
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
    lanAddresses: late.webAddresses,
    ownHosts: () => ownHosts(),
    certificates: createServedCertificates({
      ownWarnings: (nowMs) => ownCertificateWarnings(settings.current(), nowMs),
      inbounds: () => servingInbounds(store),
      isElsewhere: ({ nodeId, serverId }) => nodeId !== null || !runsHere(place, serverId),
      certificateFolder: join(dataDir, 'cert'),
      clock,
    }),
  });

  return { metrics, server };
}
