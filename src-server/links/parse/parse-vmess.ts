import type { Json, JsonObject } from '../../contract/json.ts';
import { flexibleBase64 } from './parsed-url.ts';
import type { ParsedOutbound } from './parsed-outbound.ts';
import { networkIn, streamOf, type Given } from './stream.ts';

/** The object in a `vmess://` link; null when there is none. */
export function vmessMembers(payload: string): JsonObject | null {
  const text = flexibleBase64(payload.split('#')[0] ?? '');
  if (text === null) return null;
  try {
    const value = JSON.parse(text) as Json;
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

/** XHTTP options that are objects; these links hold them beside all others. */
function objectsIn({ headers, xmux, downloadSettings }: JsonObject): JsonObject {
  const isObject = ([, value]: [string, Json | undefined]) =>
    typeof value === 'object' && value !== null && !Array.isArray(value);
  return Object.fromEntries(Object.entries({ headers, xmux, downloadSettings }).filter(isObject)) as JsonObject;
}

/** Outbound of a `vmess://` link; null when it contains none, or a port that is not valid. */
export function parseVmess(payload: string): ParsedOutbound | null {
  const members = vmessMembers(payload);
  if (members === null) return null;
  const member = (key: string): string => {
    const value = Object.hasOwn(members, key) ? members[key] : undefined;
    if (Array.isArray(value)) return value.filter((part) => typeof part === 'string').join(',');
    return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
  };
  const network = member('net') || 'tcp';
  const cipher = member('scy');
  const port = Number(member('port') || 443);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) return null;
  const given: Given = (name) => {
    if (name === 'headerType') return networkIn(network) === 'tcp' ? member('type') : '';
    if (name === 'serviceName') return member('path');
    if (name === 'mode' && network === 'grpc') return member('type') === 'multi' ? 'multi' : '';
    if (name === 'extra') return JSON.stringify(objectsIn(members));
    return member(name);
  };
  return {
    protocol: 'vmess',
    tag: member('ps'),
    settings: {
      vnext: [
        {
          address: member('add').replaceAll(/^\[|\]$/g, ''),
          port,
          users: [{ id: member('id'), security: ['', 'none', 'zero'].includes(cipher) ? 'auto' : cipher }],
        },
      ],
    },
    streamSettings: streamOf(network, member('tls') === 'tls' ? 'tls' : 'none', given),
  };
}
