import type { Reason } from '../../../contract/envelope.ts';
import type Database from 'better-sqlite3';
import { SECOND_FACTOR } from '../../../store/kept-access.ts';
import { SECRET_KEYS, Settings } from '../../settings/contract.ts';
import { HOST_SETTINGS } from '../host-settings.ts';
import { toValidationIssues } from '../../../contract/validation.ts';
import { leftOut } from '../left-out.ts';
import type { PlanBuilder } from '../plan-builder.ts';
import { rowsOf } from './other-rows.ts';

/** Settings that have a different name here. */
const RENAMED: Readonly<Record<string, string>> = {
  restartXrayOnClientDisable: 'restartCoreOnClientDisable',
  subClashEnable: 'subYamlEnable',
  subClashPath: 'subYamlPath',
  subClashURI: 'subYamlURI',
  subClashEnableRouting: 'subYamlEnableRouting',
  subClashRules: 'subYamlRules',
  subClashAutoDetect: 'subYamlAutoDetect',
  subClashUserAgentRegex: 'subYamlUserAgentRegex',
  xrayTemplateConfig: 'coreTemplateConfig',
  xrayOutboundTestUrl: 'coreOutboundTestUrl',
  warpUpdateInterval: 'tunnelUpdateInterval',
};
/** Keys of the settings table that are not on the settings page. */
const CORE = new Set(['coreTemplateConfig', 'coreOutboundTestUrl']);

/**
 * Settings that mean the same here and satisfy this panel's rules.
 * @returns secrets in plain text, to be sealed with this panel's key before they are stored
 */
export function takeSettings(
  source: Database.Database,
  scratch: Database.Database,
  keepsHost: boolean,
  plan: PlanBuilder,
): [key: string, value: string][] {
  const insert = scratch.prepare('INSERT OR REPLACE INTO settings (key, value) VALUES (?, ?)');
  const secrets: [string, string][] = [];
  for (const row of rowsOf(source, 'settings')) {
    const theirs = row.text('key');
    const value = row.text('value');
    const key = RENAMED[theirs] ?? theirs;
    if (
      SECOND_FACTOR.includes(key) ||
      (HOST_SETTINGS.includes(key) && (keepsHost || key === 'secret' || key === 'panelGuid'))
    )
      continue;
    const refusal = refusalOf(key, value);
    if (refusal !== null) {
      if (value !== '') plan.cannot('setting', theirs, refusal);
      continue;
    }
    if ((SECRET_KEYS as readonly string[]).includes(key)) {
      if (value !== '') secrets.push([key, value]);
    } else insert.run(key, value);
    plan.comes('settings', key);
  }
  return secrets;
}

function refusalOf(key: string, value: string): Reason | null {
  if (CORE.has(key)) return null;
  if (!Object.hasOwn(Settings.shape, key)) return leftOut('leftOut.settingUnknown');
  const rule = Settings.shape[key as keyof typeof Settings.shape].unwrap();
  const standard: unknown = Settings.shape[key as keyof typeof Settings.shape].parse(undefined);
  const parsed = rule.safeParse(typed(value, standard), { reportInput: true });
  if (parsed.success) return null;
  const issues = toValidationIssues(parsed.error).map((issue) => ({
    ...issue,
    message: issue.message.replace(/^body: /, ''),
  }));
  return { reason: issues.map(({ message }) => message).join('; '), issues };
}

/** Parses a text as the default's type. */
function typed(text: string, standard: unknown): unknown {
  if (typeof standard === 'number') return /^-?\d+$/.test(text.trim()) ? Number(text) : text;
  if (typeof standard === 'boolean') return text === 'true' ? true : text === 'false' ? false : text;
  return text;
}
