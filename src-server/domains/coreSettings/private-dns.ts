import ipaddr from 'ipaddr.js';
import type { Json, JsonObject } from '../../contract/json.ts';
import { isIpAddress } from '../../core/config/cidr.ts';
import { isBlank, isJsonObject, listOf, objectOf, textListOf, textOf } from '../../core/config/json-access.ts';
import { hostAndPort, portNumber } from '../../core/config/inbound/listen-address.ts';

/**
 * Rules with this prefix belong to the panel: they are rebuilt at every save. The tag ends with the port, since tags
 * are unique.
 */
const RULE_TAG = 'switchyard-dns-allow-';

/** Outbound added by the panel, for templates whose direct outbound blocks private addresses. */
const OUTBOUND_TAG = 'switchyard-dns-direct';

/** Networks that identify a rule as blocking private destinations. */
const PRIVATE_MARKS = new Set(['geoip:private', '10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '127.0.0.0/8']);

/**
 * Gives the core's own DNS servers on private addresses an outbound, right before the rule that blocks such
 * destinations: after that rule, every new name would wait seconds for a server that is never reached. Without such a
 * rule, or without a direct outbound, nothing is added.
 */
export function allowPrivateDns(template: JsonObject): JsonObject {
  const bare = withoutOwnParts(template);
  const outbounds = listOf(bare['outbounds']).filter(isJsonObject);
  const rules = listOf(objectOf(bare['routing'])['rules']);
  const blocking = rules.findIndex((rule) => isJsonObject(rule) && blocksPrivate(rule, outbounds));
  const direct = directOutbound(outbounds);
  const needed = blocking >= 0 && direct !== null ? allowRules(bare, direct.tag) : [];
  if (needed.length === 0 || direct === null) return bare;
  return {
    ...bare,
    outbounds: direct.isOwn ? [...listOf(bare['outbounds']), ownOutbound()] : bare['outbounds']!,
    routing: { ...objectOf(bare['routing']), rules: rules.toSpliced(blocking, 0, ...needed) },
  };
}

/** Returns the same object when there are none. */
function withoutOwnParts(template: JsonObject): JsonObject {
  const { outbounds, routing } = template;
  const result = { ...template };
  if (Array.isArray(outbounds))
    result['outbounds'] = outbounds.filter((outbound) => !isJsonObject(outbound) || outbound['tag'] !== OUTBOUND_TAG);
  if (isJsonObject(routing) && Array.isArray(routing['rules']))
    result['routing'] = { ...routing, rules: routing['rules'].filter((rule) => !isOwnRule(rule)) };
  const isSame =
    listOf(result['outbounds']).length === listOf(outbounds).length &&
    listOf(objectOf(result['routing'])['rules']).length === listOf(objectOf(routing)['rules']).length;
  return isSame ? template : result;
}

/**
 * Where the queries go: the template's direct outbound, unless it has final rules, which would stop them, too. Without
 * final rules the core lets its own queries pass and still refuses private addresses to most clients, so the panel's
 * outbound has none. Null when nothing in the template is direct.
 */
function directOutbound(outbounds: readonly JsonObject[]): { tag: string; isOwn: boolean } | null {
  const free = outbounds.filter(
    (one) => textOf(one['protocol']).toLowerCase() === 'freedom' && textOf(one['tag']) !== '',
  );
  const chosen = free.find((one) => one['tag'] === 'direct') ?? free[0];
  if (chosen === undefined) return null;
  const isOwn = !isBlank(objectOf(chosen['settings'])['finalRules']);
  return { tag: isOwn ? OUTBOUND_TAG : textOf(chosen['tag']), isOwn };
}

function ownOutbound(): JsonObject {
  return { tag: OUTBOUND_TAG, protocol: 'freedom', settings: {} };
}

function isOwnRule(rule: Json): boolean {
  return isJsonObject(rule) && textOf(rule['ruleTag']).startsWith(RULE_TAG);
}

function allowRules(template: JsonObject, outboundTag: string): JsonObject[] {
  const addressesByPort = new Map<number, Set<string>>();
  for (const server of listOf(objectOf(template['dns'])['servers'])) {
    const place = privateServer(server);
    if (place === null) continue;
    const addresses = addressesByPort.get(place.port) ?? new Set();
    addressesByPort.set(place.port, addresses.add(place.address));
  }
  return [...addressesByPort]
    .sort(([a], [b]) => a - b)
    .map(([port, addresses]) => ({
      type: 'field',
      ruleTag: `${RULE_TAG}${port}`,
      ip: [...addresses].sort(),
      port: String(port),
      outboundTag,
    }));
}

const DEFAULT_PORTS: Readonly<Record<string, number>> = { https: 443, h2c: 443, quic: 853 };

/** Address and port of a DNS server with a private address; null for all others. */
function privateServer(server: Json): { address: string; port: number } | null {
  const written = isJsonObject(server) ? textOf(server['address']) : textOf(server);
  const match = /^(?:([a-z0-9]+)(\+local)?:\/\/)?([^/]*)/i.exec(written.trim());
  // A `+local` server bypasses the routing.
  if (match === null || match[2] !== undefined) return null;
  const host = match[3]!;
  const split = isIpAddress(host) ? null : hostAndPort(host);
  const address = (split?.host ?? host).replace(/^\[(.*)\]$/, '$1');
  if (!isIpAddress(address) || !isPrivate(address)) return null;
  const named = isJsonObject(server) && typeof server['port'] === 'number' ? portNumber(String(server['port'])) : null;
  const port =
    (split === null ? null : portNumber(split.port)) ?? named ?? DEFAULT_PORTS[(match[1] ?? '').toLowerCase()] ?? 53;
  return { address, port };
}

function isPrivate(address: string): boolean {
  return ['private', 'loopback', 'linkLocal', 'uniqueLocal', 'carrierGradeNat'].includes(
    ipaddr.process(address).range(),
  );
}

function blocksPrivate(rule: JsonObject, outbounds: readonly JsonObject[]): boolean {
  if (rule['enabled'] === false || !textListOf(rule['ip']).some((network) => PRIVATE_MARKS.has(network))) return false;
  const target = outbounds.find((outbound) => outbound['tag'] === rule['outboundTag']);
  return textOf(target?.['protocol']).toLowerCase() === 'blackhole';
}
