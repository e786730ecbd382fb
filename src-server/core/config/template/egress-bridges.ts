import type { EgressBridge, JsonObject } from '../source.ts';
import { isJsonObject, listOf, objectOf, textOf } from '../json-access.ts';
import { balancerTags, outboundTags } from './outbound-section.ts';
import type { Notes } from './routing-section.ts';

const LAST_PORT = 65_535;

/**
 * Loopback socks inbounds for the panel's own requests through an outbound or balancer, each with a rule in front of
 * all others. A bridge whose target is missing or whose tag is taken is skipped as a whole: an inbound without its rule
 * would leak through the default outbound.
 */
export function withBridges(config: JsonObject, bridges: readonly EgressBridge[], notes: Notes): JsonObject {
  if (bridges.length === 0) return config;
  const inbounds = [...listOf(config['inbounds'])];
  const rules: JsonObject[] = [];
  const ports = new Set(inbounds.map((inbound) => (isJsonObject(inbound) ? inbound['port'] : null)));
  const tags = new Set(inbounds.map((inbound) => (isJsonObject(inbound) ? textOf(inbound['tag']) : '')));
  const targets = { outbounds: outboundTags(config), balancers: balancerTags(config) };
  for (const bridge of bridges) {
    const target = targetOf(bridge.target, targets);
    if (target === null || tags.has(bridge.tag)) {
      const reason = target === null ? `there is no outbound or balancer ${bridge.target}` : 'its tag is taken';
      notes.warnings.push(`The bridge ${bridge.tag} is left out: ${reason}.`);
      continue;
    }
    const port = freePort(bridge.firstPort, ports);
    ports.add(port);
    tags.add(bridge.tag);
    const settings = { auth: 'noauth', udp: false };
    inbounds.push({ tag: bridge.tag, listen: '127.0.0.1', port, protocol: 'socks', settings });
    rules.push({ inboundTag: [bridge.tag], ...target });
  }
  const routing = objectOf(config['routing']);
  return { ...config, inbounds, routing: { ...routing, rules: [...rules, ...listOf(routing['rules'])] } };
}

function targetOf(name: string, known: { outbounds: Set<string>; balancers: Set<string> }): JsonObject | null {
  if (known.balancers.has(name)) return { balancerTag: name };
  return known.outbounds.has(name) ? { outboundTag: name } : null;
}

function freePort(first: number, taken: ReadonlySet<unknown>): number {
  let port = first;
  while (taken.has(port) && port < LAST_PORT) port += 1;
  return port;
}
