import type { Json, JsonObject } from '../../../contract/json.ts';

const PROTOCOLS = ['vless', 'vmess', 'trojan', 'shadowsocks', 'hysteria', 'wireguard', 'http', 'socks'];

/**
 * Members that would let a provider reach into this machine: files that the core reads or writes, the panel's own
 * sockets and routes, and a reverse tunnel through which the far end gets in.
 */
const LOCAL_ONLY = new Set([
  'masterkeylog',
  'certificates',
  'certificatefile',
  'keyfile',
  'sockopt',
  'echsockopt',
  'dialerproxy',
  'interface',
  'reverse',
]);

/** A readable outbound without its own name, or why an untrusted list may not include it. */
export type SafeOutbound = { outbound: JsonObject } | { problem: string };

/**
 * Reduces an untrusted outbound to where its server is and how to connect to it. Everything that concerns this machine
 * (files, sockets, other outbounds, ways in) is removed, however its name is spelled.
 */
export function safeOutbound(given: JsonObject): SafeOutbound {
  const protocol = typeof given['protocol'] === 'string' ? given['protocol'].toLowerCase() : '';
  if (protocol === '') return { problem: 'it names no protocol' };
  if (!PROTOCOLS.includes(protocol))
    return { problem: `a subscription may not bring an outbound of kind "${protocol}"` };
  const settings = withoutLocalParts(objectIn(given, 'settings'));
  const streamSettings = withoutLocalParts(objectIn(given, 'streamSettings'));
  const mux = withoutLocalParts(objectIn(given, 'mux'));
  return {
    outbound: {
      protocol,
      // A kernel device needs privileges and outlives the core.
      settings: protocol === 'wireguard' ? { ...settings, noKernelTun: true } : settings,
      ...(Object.keys(streamSettings).length === 0 ? {} : { streamSettings }),
      ...(Object.keys(mux).length === 0 ? {} : { mux }),
    },
  };
}

function objectIn(given: JsonObject, key: string): JsonObject {
  const value = given[key];
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
}

function withoutLocalParts(value: JsonObject): JsonObject {
  const kept: JsonObject = {};
  for (const [key, member] of Object.entries(value)) if (!LOCAL_ONLY.has(folded(key))) kept[key] = safeValue(member);
  return kept;
}

function safeValue(value: Json): Json {
  if (Array.isArray(value)) return value.map(safeValue);
  return typeof value === 'object' && value !== null ? withoutLocalParts(value) : value;
}

/** The core compares names case-insensitively, and treats a long s as s and the Kelvin sign as k. */
const folded = (key: string): string => key.toUpperCase().toLowerCase();
