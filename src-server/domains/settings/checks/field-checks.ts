import { isIP } from 'node:net';
import { DomainError } from '../../../contract/domain-error.ts';
import { CLIENT_EVENT_KINDS, EVENT_KINDS } from '../../events/contract.ts';
import { parseAddressRanges } from '../../../net/address-ranges.ts';
import type { Settings } from '../contract.ts';
import { mailAddress } from './mail-address.ts';
import { parseScheduleText } from './schedule-text.ts';
import { isScriptAddress } from './web-address.ts';
import { isTimeZone } from './zone.ts';
import { hostilePart } from '../../../contract/hostile-json.ts';

/** Entries of a comma list, trimmed, without blank ones. */
export function listOf(text: string): string[] {
  return text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
}

/**
 * Rules of single fields beyond simple bounds; the first failure in this order is reported.
 * @throws {DomainError} `settings.*`
 */
export function checkFields(settings: Settings): void {
  refuseFirst('settings.trustedProxy', parseAddressRanges(settings.trustedProxyCIDRs).invalid);
  refuseFirst('settings.ipLimitAllowlist', parseAddressRanges(settings.ipLimitAllowlist).invalid);
  if (!isTimeZone(settings.timeLocation)) throw new DomainError('settings.zone', { value: settings.timeLocation });
  if (settings.smtpFrom !== '' && mailAddress(settings.smtpFrom) === null)
    throw new DomainError('settings.smtpFrom', { value: settings.smtpFrom });
  const isNoRecipient = (entry: string) => mailAddress(entry) === null;
  refuseFirst('settings.smtpTo', listOf(settings.smtpTo).filter(isNoRecipient));
  for (const field of ['webDomain', 'subDomain'] as const) {
    if (!isHostName(settings[field])) throw new DomainError('settings.domain', { field, value: settings[field] });
  }
  checkBot(settings);
  for (const field of ['tgRunTime', 'ldapSyncCron'] as const) {
    if (parseScheduleText(settings[field]) === null)
      throw new DomainError('settings.schedule', { field, value: settings[field] });
  }
  for (const [field, kinds] of [
    ['tgEnabledEvents', EVENT_KINDS],
    ['smtpEnabledEvents', EVENT_KINDS],
    ['panelEnabledEvents', EVENT_KINDS],
    ['desktopEnabledEvents', EVENT_KINDS],
    ['smtpClientEvents', CLIENT_EVENT_KINDS],
  ] as const) {
    const isUnknown = (kind: string) => !(kinds as readonly string[]).includes(kind);
    refuseFirst('settings.event', listOf(settings[field]).filter(isUnknown), { field, known: kinds.join(', ') });
  }
  refuseFirst(
    'settings.quotaNotice',
    listOf(settings.clientQuotaNotices).filter((entry) => !/^[1-9]\d?$/.test(entry)),
  );
  checkSubscriptionTexts(settings);
}

function checkBot(settings: Settings): void {
  refuseFirst(
    'settings.chatId',
    listOf(settings.tgBotChatId).filter((entry) => !/^-?\d{1,19}$/.test(entry)),
  );
  const proxy = settings.tgBotProxy.trim();
  if (proxy === '') return;
  if (!/^(socks5|https?):\/\/[^/?#\\]/i.test(proxy) || !URL.canParse(proxy)) throw new DomainError('settings.botProxy');
}

function checkSubscriptionTexts(settings: Settings): void {
  for (const field of ['subURI', 'subJsonURI', 'subYamlURI', 'subSupportUrl', 'subProfileUrl'] as const) {
    if (isScriptAddress(settings[field])) throw new DomainError('settings.scriptAddress', { field });
  }
  for (const [field, kind] of [
    ['subJsonMux', 'object'],
    ['subJsonRules', 'array'],
    ['subJsonFinalMask', 'object'],
  ] as const) {
    if (!isJsonText(settings[field], kind)) throw new DomainError('settings.jsonText', { field, kind });
  }
}

function refuseFirst(code: string, invalid: readonly string[], params: Record<string, string> = {}): void {
  const [value] = invalid;
  if (value !== undefined) throw new DomainError(code, { value, ...params });
}

/** Host name or IP without scheme, port and path; anything else would lock out every visitor. */
function isHostName(text: string): boolean {
  return text === '' || isIP(text) !== 0 || /^[^\s/:@?#\\[\]]+$/.test(text);
}

/** Whether a setting holds JSON of this kind; blank means "none" and is valid. */
function isJsonText(text: string, kind: 'object' | 'array'): boolean {
  if (text.trim() === '') return true;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return false;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value) !== (kind === 'array')) return false;
  return hostilePart(value) === null;
}
