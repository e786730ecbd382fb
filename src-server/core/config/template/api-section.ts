import type { JsonObject } from '../source.ts';
import { isBlank, isJsonObject, listOf, objectOf, textListOf, textOf } from '../json-access.ts';

const SERVICES = ['HandlerService', 'LoggerService', 'StatsService', 'RoutingService'];
const OBSERVATORY = 'ObservatoryService';
const DEFAULT_TAG = 'api';

/** Tag of the template's API block; `api` when it has none. */
export function apiTagOf(template: JsonObject): string {
  return textOf(objectOf(template['api'])['tag']) || DEFAULT_TAG;
}

/**
 * The API has its own listener (`api.listen`), so the template's loopback tunnel and its rule are removed: no rule
 * order can starve the panel's own calls. Services the panel needs are added; ObservatoryService only together with an
 * observatory, without which the core does not start.
 */
export function withApi(config: JsonObject, apiListen: string): JsonObject {
  const tag = apiTagOf(config);
  const hasObservatory = isJsonObject(config['observatory']) || isJsonObject(config['burstObservatory']);
  const api: JsonObject = {
    ...objectOf(config['api']),
    tag,
    listen: apiListen,
    services: servicesOf(objectOf(config['api']), hasObservatory),
  };
  return { ...withoutTunnel(config, tag), api };
}

function servicesOf(api: JsonObject, hasObservatory: boolean): string[] {
  const needed = hasObservatory ? [...SERVICES, OBSERVATORY] : SERVICES;
  const listed = textListOf(api['services']).filter((name) => hasObservatory || !isSame(name, OBSERVATORY));
  return [...listed, ...needed.filter((name) => !listed.some((other) => isSame(other, name)))];
}

function isSame(name: string, other: string): boolean {
  return name.toLowerCase() === other.toLowerCase();
}

function withoutTunnel(config: JsonObject, tag: string): JsonObject {
  const routing = config['routing'];
  const inbounds = listOf(config['inbounds']).filter((inbound) => !isJsonObject(inbound) || inbound['tag'] !== tag);
  const result: JsonObject = Array.isArray(config['inbounds']) ? { ...config, inbounds } : config;
  if (!isJsonObject(routing) || isBlank(routing['rules'])) return result;
  const rules = listOf(routing['rules']).filter((rule) => !isJsonObject(rule) || !isApiRule(rule, tag));
  return { ...result, routing: { ...routing, rules } };
}

/** The rule that leads from the API's inbound to its pseudo-outbound. */
function isApiRule(rule: JsonObject, tag: string): boolean {
  return rule['outboundTag'] === tag && textListOf(rule['inboundTag']).includes(tag);
}
