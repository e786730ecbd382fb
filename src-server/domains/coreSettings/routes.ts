import { bind, type BindContext } from '../../http/bind.ts';
import {
  getCoreResult,
  getCoreSettings,
  getDefaultJsonConfig,
  getOutboundsTraffic,
  resetOutboundsTraffic,
  updateCoreSettings,
} from './contract.ts';
import type { CoreSettingsService } from './service.ts';

export function coreSettingsRoutes(ctx: BindContext, settings: CoreSettingsService): void {
  bind(ctx, getCoreSettings, () => settings.show());
  bind(ctx, getDefaultJsonConfig, () => settings.defaultTemplate());
  bind(ctx, updateCoreSettings, async ({ body, request, say }) => {
    const applied = await settings.save(body.xraySetting, body.outboundTestUrl, request.requestId);
    say(`coreSettings.saved.${applied}`);
    return { applied };
  });
  bind(ctx, getOutboundsTraffic, () => settings.outboundTraffics());
  bind(ctx, resetOutboundsTraffic, ({ body, request }) => settings.resetOutboundTraffic(body.tag, request.requestId));
  bind(ctx, getCoreResult, () => settings.coreResult());
}
