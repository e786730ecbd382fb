import { downloadSources } from '../core/binary/releases/sources.ts';
import { createReleaseList } from '../core/binary/releases/release-list.ts';
import { createCoreFilesService } from '../domains/coreFiles/service.ts';
import { createCoreSettingsService } from '../domains/coreSettings/service.ts';
import { createCountriesService } from '../domains/countries/service.ts';
import { createOutboundSubService } from '../domains/outboundSubs/service.ts';
import { createProvidersService } from '../domains/providers/service.ts';
import { systemLookup } from '../net/checked-address.ts';
import { createGuardedDialer } from '../net/guarded-dialer.ts';
import { createPanelEgress } from '../runtime/panel-egress.ts';
import { readSubscribedOutbounds } from '../runtime/subscribed-outbounds.ts';
import type { Engine } from './engine.ts';
import type { Foundation } from './foundation.ts';
import type { Records } from './records.ts';

/**
 * What surrounds the core: its template, subscribed outbounds, its files, and the proxy for the panel's own downloads.
 */
export function createCoreTools(
  base: Foundation,
  { templates, core, runtime, knownHosts }: Engine,
  { requireFreePlaces }: Records,
) {
  const { options, closers, clock, log, store, schedule, publish, jobs, settings } = base;
  const { lookup = systemLookup } = options;
  const coreSettings = createCoreSettingsService({
    store,
    values: settings,
    templates,
    runtime,
    requireFreePlaces,
    core,
    plan: (template) => core.plan(template),
    testOutbounds: core.testOutbounds,
    subscribedOutbounds: () => readSubscribedOutbounds(store),
    lookup,
    jobs,
    assetDir: core.assetDir,
    publish,
  });
  const sources = downloadSources(process.env);
  const releases = createReleaseList({
    address: sources.releaseList,
    trustedHost: sources.releases.trustedHost,
    clock,
    onStale: (error) => log.warn('coreFiles.listStale', { error }),
  });
  const coreFiles = createCoreFilesService({ files: core.files, sources, releases, jobs, publish });
  const egress = createPanelEgress({
    target: () => settings.current().panelOutbound,
    bridgePort: (tag) => core.bridgePort(tag),
    readTemplate: () => templates.read(),
    readSubscribed: () => readSubscribedOutbounds(store),
    log,
  });
  /** For what the panel fetches; measurements are dialled directly from this machine. */
  const fetcher = createGuardedDialer({ log, lookup, egress });
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
  const countries = createCountriesService({
    assetDir: core.assetDir,
    addressOf: knownHosts.addressOf,
    clock,
    schedule,
    log,
  });
  closers.push(() => countries.close());

  return { coreSettings, coreFiles, countries, egress, fetcher, providers, outboundSubs };
}
