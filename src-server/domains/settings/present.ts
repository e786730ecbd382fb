import { bracketed } from '../../contract/host-and-port.ts';
import type { EffectiveDefaults, Settings, SettingsFlags, SettingsView } from './contract.ts';
import { SECRET_KEYS } from './contract.ts';

/** Facts that are not in the settings themselves. */
export type OtherFlags = Pick<
  SettingsFlags,
  'ipLimitEnable' | 'hasApiToken' | 'hasTunnelSecret' | 'hasVpnSecret' | 'startOptions'
>;

/** Settings as returned: secrets emptied, with flags for those that exist. */
export function presentSettings(settings: Settings, flags: OtherFlags): SettingsView {
  const view: SettingsView = {
    ...settings,
    ...flags,
    hasTwoFactorToken: settings.twoFactorToken.trim() !== '',
    hasTgBotToken: settings.tgBotToken.trim() !== '',
    hasTgBotBackupPassphrase: settings.tgBotBackupPassphrase.trim() !== '',
    hasSmtpPassword: settings.smtpPassword.trim() !== '',
    hasLdapPassword: settings.ldapPassword.trim() !== '',
  };
  for (const key of SECRET_KEYS) view[key] = '';
  return view;
}

/**
 * Public prefixes of the three subscription formats, to which the subscription id is appended. A configured prefix wins;
 * JSON and YAML otherwise use the scheme and host of a configured `subURI`; else they are computed.
 * @param host Host of the request, with or without port.
 */
export function subscriptionPrefixes(settings: Settings, host: string): { raw: string; json: string; yaml: string } {
  const computed = computedOrigin(settings, host);
  const configured = /^https?:\/\/[^/?#]+/i.exec(settings.subURI)?.[0] ?? computed;
  return {
    raw: settings.subURI !== '' ? settings.subURI : computed + settings.subPath,
    json: settings.subJsonURI !== '' ? settings.subJsonURI : configured + settings.subJsonPath,
    yaml: settings.subYamlURI !== '' ? settings.subYamlURI : configured + settings.subYamlPath,
  };
}

/** Address of a subscription below its prefix; empty without an id. */
export function subscriptionUrl(prefix: string, subId: string): string {
  return subId === '' ? '' : `${prefix}${prefix.endsWith('/') ? '' : '/'}${encodeURIComponent(subId)}`;
}

function computedOrigin({ subCertFile, subKeyFile, subDomain, subPort }: Settings, host: string): string {
  const isSecure = subCertFile !== '' && subKeyFile !== '';
  const isStandardPort = subPort === (isSecure ? 443 : 80);
  const name = subDomain !== '' ? bracketed(subDomain) : hostWithoutPort(host);
  return `${isSecure ? 'https' : 'http'}://${name}${isStandardPort ? '' : `:${subPort}`}`;
}

/** `[::1]:2053` → `[::1]`, `panel.example:2053` → `panel.example`, `::1` → `[::1]`. */
function hostWithoutPort(host: string): string {
  const inBrackets = /^\[[^\]]*\]/.exec(host)?.[0];
  if (inBrackets !== undefined) return inBrackets;
  return host.split(':').length > 2 ? bracketed(host) : host.replace(/:\d*$/, '');
}

/** @param host Host of the request. A format's prefix is given only while the format is served, or when configured. */
export function presentEffectiveDefaults(
  settings: Settings,
  host: string,
  facts: Pick<EffectiveDefaults, 'ipLimitEnable' | 'accessLogEnable' | 'devChannelEnable' | 'isDevBuild'>,
): EffectiveDefaults {
  const prefixes = subscriptionPrefixes(settings, host);
  return {
    ...facts,
    expireDiff: settings.expireDiff,
    trafficDiff: settings.trafficDiff,
    trafficDiffPercent: settings.trafficDiffPercent,
    pageSize: settings.pageSize,
    defaultCert: settings.webCertFile,
    defaultKey: settings.webKeyFile,
    tgBotEnable: settings.tgBotEnable,
    subThemeDir: settings.subThemeDir,
    subEnable: settings.subEnable,
    subJsonEnable: settings.subJsonEnable,
    subYamlEnable: settings.subYamlEnable,
    subTitle: settings.subTitle,
    subURI: settings.subEnable ? prefixes.raw : settings.subURI,
    subJsonURI: settings.subJsonEnable ? prefixes.json : settings.subJsonURI,
    subYamlURI: settings.subYamlEnable ? prefixes.yaml : settings.subYamlURI,
    webDomain: settings.webDomain,
    subDomain: settings.subDomain,
    datepicker: settings.datepicker,
  };
}
