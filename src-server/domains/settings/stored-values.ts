import type { Secrets } from '../../store/secrets/secrets.ts';
import { SECRET_KEYS, Settings, type SettingKey } from './contract.ts';
import { listOf } from './checks/field-checks.ts';
import { normalisePath, PATH_KEYS } from './checks/path-check.ts';
import { withScheme } from './checks/web-address.ts';
import { isTimeZone } from './checks/zone.ts';

/** A new panel. */
export const DEFAULTS: Settings = Settings.parse({});
export const SETTING_KEYS = Object.keys(DEFAULTS) as SettingKey[];

/** Why a stored value is not used; its default (for secrets: nothing) is used instead. */
export interface Complaint {
  setting: SettingKey;
  problem: 'unreadableSecret' | 'invalidValue';
}

export function isSecret(key: SettingKey): boolean {
  return (SECRET_KEYS as readonly string[]).includes(key);
}

/** Text of a value as stored in the table. */
export function toStored(key: SettingKey, value: string | number | boolean, secrets: Secrets): string {
  return isSecret(key) ? secrets.seal(key, String(value)) : String(value);
}

/**
 * Settings from stored texts. Never fails: an absent row, an empty number or flag, and any invalid value reads as the
 * default.
 */
export function fromStored(
  rows: ReadonlyMap<string, string>,
  secrets: Secrets,
): { settings: Settings; complaints: Complaint[] } {
  const complaints: Complaint[] = [];
  const values: Record<string, unknown> = {};
  for (const key of SETTING_KEYS) {
    const stored = rows.get(key);
    if (stored === undefined) continue;
    const text = isSecret(key) ? secrets.open(key, stored) : stored;
    if (text === null) complaints.push({ setting: key, problem: 'unreadableSecret' });
    else {
      const value = typed(text, DEFAULTS[key]);
      if (value === null) continue;
      const parsed = Settings.shape[key].unwrap().safeParse(value);
      if (parsed.success) values[key] = parsed.data;
      else complaints.push({ setting: key, problem: 'invalidValue' });
    }
  }
  const settings = normalise({ ...DEFAULTS, ...values });
  if (isTimeZone(settings.timeLocation)) return { settings, complaints };
  complaints.push({ setting: 'timeLocation', problem: 'invalidValue' });
  return { settings: { ...settings, timeLocation: DEFAULTS.timeLocation }, complaints };
}

/** Parses a text as the default's type; null = use the default. */
function typed(text: string, standard: string | number | boolean): unknown {
  if (typeof standard === 'string') return text;
  if (text.trim() === '') return null;
  if (typeof standard === 'number') return /^-?\d+$/.test(text.trim()) ? Number(text) : text;
  return text === 'true' ? true : text === 'false' ? false : text;
}

/** The normal form in which values are stored and used; applied on save and again on read. */
export function normalise(settings: Settings): Settings {
  const next = { ...settings };
  for (const key of PATH_KEYS) next[key] = normalisePath(next[key]);
  for (const key of ['webListen', 'subListen', 'timeLocation', 'smtpFrom', 'tgBotProxy'] as const)
    next[key] = next[key].trim();
  for (const key of ['subJsonUserAgentRegex', 'subYamlUserAgentRegex'] as const) next[key] = next[key].trim();
  for (const key of ['trustedProxyCIDRs', 'ldapTruthyValues', 'tgRunTime', 'ldapSyncCron'] as const)
    next[key] = next[key].trim() === '' ? DEFAULTS[key] : next[key].trim();
  for (const key of ['tgBotChatId', 'tgEnabledEvents', 'smtpEnabledEvents'] as const)
    next[key] = listOf(next[key]).join(',');
  for (const key of ['subSupportUrl', 'subProfileUrl'] as const) next[key] = withScheme(next[key]);
  return next;
}
