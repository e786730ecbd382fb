import type { JsonObject } from '../contract/json.ts';
import { asList, asObject, asText } from './encoding.ts';
import type { Endpoint } from './types.ts';

const TCP_MASKS = ['header-custom', 'fragment', 'sudoku', 'xmc'];
const UDP_MASKS = ['salamander', 'mkcp-legacy', 'xdns', 'xicmp', 'noise', 'header-custom', 'realm'];

/** Merges masks: lists are appended, `quicParams` stay the first's, other keys are the last's. */
export function mergedMask(first: JsonObject, second: JsonObject): JsonObject {
  const merged = { ...first };
  for (const [key, value] of Object.entries(second)) {
    if (key === 'tcp' || key === 'udp') merged[key] = [...asList(first[key]), ...asList(value)];
    else if (key !== 'quicParams' || first[key] === undefined) merged[key] = value;
  }
  return merged;
}

/** The mask in a link: the kinds that apps know, without empty parts. */
export function linkMask(mask: JsonObject): JsonObject {
  const kept = (key: string, kinds: readonly string[]) =>
    asList(mask[key]).flatMap((item) => {
      const { type, settings } = asObject(item);
      if (typeof type !== 'string' || !kinds.includes(type)) return [];
      const inner = asObject(settings);
      return [Object.keys(inner).length === 0 ? { type } : { settings: inner, type }];
    });
  const tcp = kept('tcp', TCP_MASKS);
  const udp = kept('udp', UDP_MASKS);
  const quicParams = asObject(mask['quicParams']);
  return {
    ...(tcp.length > 0 && { tcp }),
    ...(udp.length > 0 && { udp }),
    ...(Object.keys(quicParams).length > 0 && { quicParams }),
  };
}

/** Password of the first salamander mask that has one; empty = none. */
export function salamanderPassword(mask: JsonObject): string {
  for (const item of asList(mask['udp'])) {
    const { type, settings } = asObject(item);
    const password = asText(asObject(settings)['password']);
    if (type === 'salamander' && password !== '') return password;
  }
  return '';
}

/** Ports that a Hysteria client hops over; empty = none. Only the inbound itself is known to listen on them. */
export function hopPorts({ kind, finalMask }: Endpoint): string {
  if (kind !== 'own') return '';
  return asText(asObject(asObject(finalMask['quicParams'])['udpHop'])['ports']).trim();
}

/** The same, one by one. */
export function hopPortRanges(endpoint: Endpoint): string[] {
  return hopPorts(endpoint)
    .split(',')
    .map((range) => range.trim())
    .filter((range) => range !== '');
}

export function withoutHopPorts(mask: JsonObject): JsonObject {
  const { quicParams, ...rest } = mask;
  const { udpHop: _hop, ...kept } = asObject(quicParams);
  return Object.keys(kept).length > 0 ? { ...rest, quicParams: kept } : rest;
}
