import type { Json, JsonObject } from '../../../contract/json.ts';

const PROTOCOLS = ['vless', 'vmess', 'trojan', 'shadowsocks', 'hysteria', 'wireguard', 'http', 'socks'];

/**
 * Members that would let a provider reach into this machine: files that the core reads or writes, sockets and routes of
 * the panel's own, and a reverse tunnel through which the far end comes in.
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

/** Readable outbound without a name of its own, or why a stranger's list may not bring it. */
export type SafeOutbound = { outbound: JsonObject } | { problem: string };

/**
 * What an outbound from a stranger may say: where its server is and how it is spoken to. Everything that concerns this
 * machine (files, sockets, other outbounds, ways in) is taken out, whatever the spelling of its name.
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
      // A kernel device needs rights and outlives the core.
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

/** The core matches names without regard to case, and takes a long s for an s and the Kelvin sign for a k. */
const folded = (key: string): string => key.toUpperCase().toLowerCase();
