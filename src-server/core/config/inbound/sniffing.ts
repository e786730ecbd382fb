import type { Json, JsonObject } from '../source.ts';
import { isBlank, isJsonObject, textListOf } from '../json-access.ts';
import { networkOf } from '../cidr.ts';
import { refuse } from '../rules/finding.ts';
import { flag, oneOf, shape, textListOrText, type FieldRule } from '../rules/field-rules.ts';

const SNIFFED = ['http', 'tls', 'https', 'ssl', 'quic', 'fakedns', 'fakedns+others'];
const PANEL_NAMES: ReadonlyMap<string, string> = new Map([
  ['https', 'tls'],
  ['ssl', 'tls'],
  ['fakedns+others', 'fakedns'],
]);
const DEFAULT_OVERRIDE = ['http', 'tls', 'quic', 'fakedns'];

/** `!` negates; `geoip:` and `ext:` name lists in files whose content only the core can check. */
const addressRule: FieldRule = (value, where, report) => {
  const rule = typeof value === 'string' ? value.replace(/^!/, '') : '';
  if (/^(?:geoip|ext|ext-ip):./.test(rule) || networkOf(rule) !== null) return;
  refuse(report, where, 'config.cidrOrGeoip');
};

const domainRule: FieldRule = (value, where, report) => {
  if (typeof value !== 'string') refuse(report, where, 'config.text');
  else if (value.startsWith('dotless:') && value.includes('.')) {
    refuse(report, where, 'config.dotless');
  }
};

/** The core checks the lists even while sniffing is off. */
export const sniffingRules: FieldRule = shape({
  enabled: flag,
  destOverride: textListOrText(oneOf(...SNIFFED)),
  metadataOnly: flag,
  routeOnly: flag,
  ipsExcluded: textListOrText(addressRule),
  domainsExcluded: textListOrText(domainRule),
});

const KNOWN = ['enabled', 'destOverride', 'metadataOnly', 'routeOnly', 'ipsExcluded', 'domainsExcluded'];

/**
 * Canonical stored form: `{enabled: false}` alone while off; while on only `enabled`, `destOverride` and what differs
 * from its default. Members the panel does not know stay.
 */
export function normaliseSniffing(sniffing: JsonObject | null): JsonObject | null {
  if (sniffing === null) return null;
  const unknown = Object.fromEntries(Object.entries(sniffing).filter(([key]) => !KNOWN.includes(key)));
  if (sniffing['enabled'] !== true) {
    const isWrongType = sniffing['enabled'] !== undefined && typeof sniffing['enabled'] !== 'boolean';
    return isWrongType ? sniffing : { enabled: false, ...unknown };
  }
  const canonical: JsonObject = { enabled: true, destOverride: overrideOf(sniffing['destOverride']) };
  for (const key of ['metadataOnly', 'routeOnly']) if (sniffing[key]) canonical[key] = sniffing[key];
  for (const key of ['ipsExcluded', 'domainsExcluded']) {
    const value = sniffing[key];
    if (value !== undefined && !isBlank(value)) canonical[key] = typeof value === 'string' ? textListOf(value) : value;
  }
  return { ...canonical, ...unknown };
}

function overrideOf(value: Json | undefined): Json {
  if (value === undefined || value === null) return [...DEFAULT_OVERRIDE];
  if (isJsonObject(value) || typeof value === 'number' || typeof value === 'boolean') return value;
  if (Array.isArray(value) && !value.every((name) => typeof name === 'string')) return value;
  const names = textListOf(value)
    .filter((name) => name !== '')
    .map((name) => PANEL_NAMES.get(name.toLowerCase()) ?? name.toLowerCase());
  return [...new Set(names)];
}
