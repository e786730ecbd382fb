import type { JsonObject } from './json.ts';

export type InboundTransport = 'tcp' | 'udp';
const BOTH = ['tcp', 'udp'] as const;
const OVER_UDP: readonly unknown[] = ['kcp', 'mkcp', 'quic'];

/** Which kinds of port an inbound uses; never empty. Decides port conflicts and generated tags. */
export function transportsOf(inbound: {
  protocol: string;
  settings: JsonObject;
  streamSettings: JsonObject | null;
}): InboundTransport[] {
  const { protocol, settings, streamSettings } = inbound;
  if (['hysteria', 'hysteria2', 'wireguard'].includes(protocol)) return ['udp'];
  const listed = listedNetworks(protocol, settings);
  if (listed.length > 0) return listed;
  const network = streamSettings?.['network'];
  if (typeof network === 'string' && OVER_UDP.includes(network.toLowerCase())) return ['udp'];
  return protocol === 'mixed' && settings['udp'] === true ? [...BOTH] : ['tcp'];
}

/** A list, or names separated by commas. */
function listedNetworks(protocol: string, settings: JsonObject): InboundTransport[] {
  const key = protocol === 'shadowsocks' ? 'network' : protocol === 'tunnel' ? 'allowedNetwork' : undefined;
  const value = key === undefined ? [] : settings[key];
  const names = typeof value === 'string' ? value.split(',') : Array.isArray(value) ? value : [];
  const named = names.map((name) => (typeof name === 'string' ? name.trim().toLowerCase() : ''));
  return BOTH.filter((network) => named.includes(network));
}
