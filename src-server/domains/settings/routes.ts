import { bind, type BindContext } from '../../http/bind.ts';
import * as contract from './contract.ts';
import type { SettingsService } from './service.ts';

/** Mounts the settings calls. */
export function settingsRoutes(ctx: BindContext, settings: SettingsService): void {
  bind(ctx, contract.getSettings, () => settings.view());
  bind(ctx, contract.getEffectiveDefaults, ({ request }) => settings.effectiveDefaults(request.origin.host));
  bind(ctx, contract.updateSettings, async ({ body, request }) => {
    await settings.save({ ...request.caller, address: request.address }, body, request.requestId);
    return null;
  });
  bind(ctx, contract.checkSettingsPlaces, ({ body }) => settings.checkPlaces(body));
  bind(ctx, contract.checkSettingsCertificates, ({ body }) => settings.checkCertificates(body));
  bind(ctx, contract.restartPanel, () => {
    settings.restartPanel();
    return null;
  });
  bind(ctx, contract.getFactoryDefaults, () => settings.factoryDefaults());
  bind(ctx, contract.validateRegex, ({ body }) => {
    settings.validateRegex(body.regex);
    return null;
  });
  bind(ctx, contract.getDefaultJsonConfig, () => settings.defaultTemplate());
}
