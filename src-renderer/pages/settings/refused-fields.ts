import type { SettingKey } from '#contract/settings';
import type { CallError } from '../../api/transport.ts';

/** Settings that each refusal of a save concerns; of several, the changed ones are meant. */
const FIELDS: Readonly<Record<string, readonly SettingKey[]>> = {
  'settings.webListen': ['webListen'],
  'settings.subListen': ['subListen'],
  'settings.samePort': ['webPort', 'subPort', 'webListen', 'subListen'],
  'settings.certificateUnreadable': ['webCertFile', 'subCertFile', 'webKeyFile', 'subKeyFile'],
  'settings.keyUnreadable': ['webKeyFile', 'subKeyFile', 'webCertFile', 'subCertFile'],
  'settings.certificateMismatch': ['webKeyFile', 'subKeyFile', 'webCertFile', 'subCertFile'],
  'settings.path': ['webBasePath', 'subPath', 'subJsonPath', 'subYamlPath'],
  'settings.samePath': ['subPath', 'subJsonPath', 'subYamlPath'],
  'settings.mailPath': ['subJsonPath', 'subYamlPath', 'subPath'],
  'settings.trustedProxy': ['trustedProxyCIDRs'],
  'settings.ipLimitAllowlist': ['ipLimitAllowlist'],
  'settings.zone': ['timeLocation'],
  'settings.smtpFrom': ['smtpFrom'],
  'settings.smtpTo': ['smtpTo'],
  'settings.domain': ['webDomain', 'subDomain'],
  'settings.chatId': ['tgBotChatId'],
  'settings.botProxy': ['tgBotProxy'],
  'settings.botServer': ['tgBotAPIServer'],
  'settings.botWebhook': ['tgBotWebhookURL'],
  'settings.informUri': ['externalTrafficInformURI'],
  'settings.schedule': ['tgRunTime', 'ldapSyncCron'],
  'settings.event': ['tgEnabledEvents', 'smtpEnabledEvents'],
  'settings.quotaNotice': ['clientQuotaNotices'],
  'settings.scriptAddress': ['subURI', 'subJsonURI', 'subYamlURI', 'subSupportUrl', 'subProfileUrl'],
  'settings.jsonText': ['subJsonMux', 'subJsonRules', 'subJsonFinalMask'],
  'settings.routingNotHttps': ['subRoutingRules', 'subYamlRules'],
  'settings.routingCredentials': ['subRoutingRules', 'subYamlRules'],
  'settings.patternTooLong': ['subJsonUserAgentRegex', 'subYamlUserAgentRegex'],
  'settings.patternInvalid': ['subJsonUserAgentRegex', 'subYamlUserAgentRegex'],
};

/** Fields at which a refused save is shown: those named by the response or its code. Empty when it names none. */
export function refusedFields(error: CallError, changed: readonly SettingKey[]): Partial<Record<SettingKey, string>> {
  if (error.issues.length > 0)
    return Object.fromEntries(error.issues.map(({ field, message }) => [field, message])) as Partial<
      Record<SettingKey, string>
    >;
  const candidates = (FIELDS[error.code] ?? []).filter((key) => changed.includes(key));
  // Refusals that name their field decide which of several is meant.
  const named = candidates.find((key) => key === error.params['field']) ?? candidates[0];
  return named === undefined ? {} : { [named]: error.message };
}
