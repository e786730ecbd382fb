import { bind, type BindContext } from '../../http/bind.ts';
import {
  balancerOverride,
  balancerStatus,
  getCoreResult,
  getCoreSettings,
  getPreviousRun,
  getDefaultJsonConfig,
  getOutboundsTraffic,
  parseLink,
  previewCoreSettings,
  resetOutboundsTraffic,
  routeTest,
  testOutbound,
  testOutbounds,
  updateCoreSettings,
} from './contract.ts';
import { readLinks } from './read-links.ts';
import type { CoreSettingsService } from './service.ts';

export function coreSettingsRoutes(ctx: BindContext, settings: CoreSettingsService): void {
  bind(ctx, getCoreSettings, () => settings.show());
  bind(ctx, getDefaultJsonConfig, () => settings.defaultTemplate());
  bind(ctx, updateCoreSettings, async ({ body, request, say }) => {
    const saved = await settings.save(body.xraySetting, body.outboundTestUrl, request.requestId);
    say(`coreSettings.saved.${saved.applied}`);
    return saved;
  });
  bind(ctx, previewCoreSettings, ({ body }) => settings.preview(body.xraySetting));
  bind(ctx, parseLink, ({ body }) => readLinks(body.link));
  bind(ctx, getOutboundsTraffic, () => settings.outboundTraffics());
  bind(ctx, resetOutboundsTraffic, ({ body, request }) => settings.resetOutboundTraffic(body.tag, request.requestId));
  bind(ctx, getCoreResult, () => settings.coreResult());
  bind(ctx, getPreviousRun, () => settings.previousRun());
  bind(ctx, testOutbound, ({ body: { outbound, ...rest } }) => settings.tests.one({ text: outbound, ...rest }));
  bind(ctx, testOutbounds, ({ body: { outbounds, background, ...rest } }) => {
    const request = { text: outbounds, ...rest };
    return String(background) === 'true' ? settings.tests.start(request) : settings.tests.many(request);
  });
  bind(ctx, balancerStatus, ({ body }) => settings.routing.balancers(body.tags.split(',')));
  bind(ctx, balancerOverride, ({ body }) => settings.routing.override(body.tag.trim(), body.target.trim()));
  bind(ctx, routeTest, ({ body }) => settings.routing.route(body));
}
