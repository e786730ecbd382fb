import type { CoreConfigSource, Json, JsonObject } from '../source.ts';
import { isJsonObject, listOf, objectOf, textOf, without, withoutBlank } from '../json-access.ts';
import { normaliseFinalmask } from '../finalmask/finalmask.ts';
import { securityOf } from '../inbound/stream-settings.ts';
import { withConfinedKeyLogs } from '../security/key-log.ts';
import { liftSessionKeys } from '../transports/xhttp.ts';
import { networkName, transportOf } from '../transports/transports.ts';
import { problem, type Problem } from '../rules/finding.ts';
import type { Notes } from './routing-section.ts';

const PROTOCOLS = [
  'freedom',
  'direct',
  'blackhole',
  'block',
  'loopback',
  'dns',
  'http',
  'socks',
  'shadowsocks',
  'vless',
  'vmess',
  'trojan',
  'hysteria',
  'wireguard',
];

/**
 * Outbounds in force: prepended subscriptions, the template's, appended subscriptions. The first one is the default
 * route. When the template's outbounds are not a list they are left alone: the core's own message is clearer.
 */
export function withOutbounds(
  config: JsonObject,
  subscribed: CoreConfigSource['subscribedOutbounds'],
  notes: Notes,
): JsonObject {
  const stored = config['outbounds'] ?? [];
  if (!Array.isArray(stored)) return config;
  const all = [...subscribed.prepend, ...stored, ...subscribed.append];
  const first = subscribed.prepend[0];
  if (first !== undefined && stored.length > 0) {
    notes.warnings.push(`The subscribed outbound ${textOf(first['tag'])} stands first and is the default route.`);
  }
  const tags = new Set<string>();
  const own = outboundTags(config);
  const outbounds = all.flatMap((value, index) => {
    const outbound = isJsonObject(value) ? healedOutbound(value) : value;
    const tag = isJsonObject(outbound) ? textOf(outbound['tag']) : '';
    // The operator's own outbounds keep their tags, even against a subscription in front of them.
    const isTaken = index < subscribed.prepend.length && own.has(tag);
    const why = outboundProblem(outbound, isTaken ? own : tags);
    if (why === null) {
      tags.add(tag);
      return [outbound];
    }
    const name = tag || `outbound ${index + 1}`;
    notes.leftOut.push({ kind: 'outbound', name, reason: `Outbound ${name} left out: ${why.text}` });
    return index === 0 && first === undefined ? closedDefault(tag, tags, notes) : [];
  });
  return { ...config, outbounds };
}

/**
 * Without the template's first outbound the next one would become the default route: its traffic is blocked instead. If
 * a subscribed outbound in front is left out, the next takes over, as it does when a subscription loses an entry.
 */
function closedDefault(tag: string, tags: Set<string>, notes: Notes): Json[] {
  notes.warnings.push('The first outbound does not run: connections that no rule sends elsewhere are closed.');
  tags.add(tag);
  return [tag === '' ? { protocol: 'blackhole' } : { tag, protocol: 'blackhole' }];
}

/** Why the core would refuse the outbound; null when no reason is known. */
export function outboundProblem(outbound: Json, tags: ReadonlySet<string>): Problem | null {
  if (!isJsonObject(outbound)) return problem('cannotRun.notObject');
  const tag = textOf(outbound['tag']);
  if (tag !== '' && tags.has(tag)) return problem('cannotRun.outboundTag');
  const protocol = textOf(outbound['protocol']);
  if (!PROTOCOLS.includes(protocol.toLowerCase())) return problem('cannotRun.outboundProtocol', { protocol });
  const stream = objectOf(outbound['streamSettings']);
  if (transportOf(stream) === null) return problem('cannotRun.transport', { transport: networkName(stream) });
  if (securityOf(stream) === 'tls' && objectOf(stream['tlsSettings'])['allowInsecure'] === true) {
    return problem('cannotRun.allowInsecure');
  }
  return null;
}

/** Heals old spellings the core ignores or refuses, in an outbound and in its xhttp download half; confines key logs. */
export function healedOutbound(outbound: JsonObject): JsonObject {
  const confined = withConfinedKeyLogs(outbound);
  const stream = confined['streamSettings'];
  return isJsonObject(stream) ? { ...confined, streamSettings: healedStream(stream) } : confined;
}

function healedStream(stream: JsonObject): JsonObject {
  const healedBlocks: JsonObject = { ...normaliseFinalmask(withoutBlank(stream, 'network', 'method')) };
  for (const key of ['xhttpSettings', 'splithttpSettings']) {
    const block = healedBlocks[key];
    if (!isJsonObject(block)) continue;
    const lifted = liftSessionKeys(block);
    const download = lifted['downloadSettings'];
    healedBlocks[key] = isJsonObject(download) ? { ...lifted, downloadSettings: healedStream(download) } : lifted;
  }
  return healedBlocks;
}

/** Tags of the outbounds that this one dials through. */
export function chainTagsOf(outbound: JsonObject): string[] {
  const sockopt = objectOf(objectOf(outbound['streamSettings'])['sockopt']);
  const tags = [textOf(sockopt['dialerProxy']), textOf(objectOf(outbound['proxySettings'])['tag'])];
  return tags.filter((tag) => tag !== '');
}

/** Tags that a rule or a bridge may name. */
export function outboundTags(config: JsonObject): Set<string> {
  const named = listOf(config['outbounds']).map((outbound) => (isJsonObject(outbound) ? textOf(outbound['tag']) : ''));
  return new Set(named.filter((tag) => tag !== ''));
}

export function balancerTags(config: JsonObject): Set<string> {
  const balancers = listOf(objectOf(config['routing'])['balancers']);
  return new Set(balancers.map((balancer) => (isJsonObject(balancer) ? textOf(balancer['tag']) : '')));
}

/** Sections that the core has removed stop it even when they are empty. */
export function withoutRemovedSections(config: JsonObject, notes: Notes): JsonObject {
  const gone = ['reverse', 'transport'].filter((key) => isJsonObject(config[key]) || Array.isArray(config[key]));
  const loud = gone.filter((key) => key === 'reverse' || Object.keys(objectOf(config[key])).length > 0);
  for (const key of loud) notes.warnings.push(`The section ${key} was removed from the core and is left out.`);
  return without(config, ...gone);
}
