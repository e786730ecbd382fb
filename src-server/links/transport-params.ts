import type { JsonObject } from '../contract/json.ts';
import { canonicalJson } from '../contract/canonical-json.ts';
import { asList, asObject, asText } from './encoding.ts';
import { headerValue } from './http-headers.ts';
import type { Endpoint } from './types.ts';
import { xhttpExtra } from './xhttp.ts';

const KCP_HEADERS = ['dns', 'dtls', 'srtp', 'utp', 'wireguard'];

/** Parameters by which a link names a transport; values that a link need not name are absent. */
export function transportParams(endpoint: Endpoint): Record<string, string> {
  const { network, stream } = endpoint;
  const settings = asObject(stream[`${network}Settings`]);
  switch (network) {
    case 'tcp':
      return tcpParams(stream);
    case 'kcp':
      return kcpParams(endpoint, settings);
    case 'ws':
    case 'httpupgrade':
      return { path: asText(settings['path']), host: hostOf(settings) };
    case 'grpc':
      return {
        serviceName: asText(settings['serviceName']),
        authority: asText(settings['authority']),
        ...(settings['multiMode'] === true && { mode: 'multi' }),
      };
    case 'xhttp':
      return xhttpParams(settings);
    default:
      return {};
  }
}

/** Explicit host of a transport, else its Host header. */
export function hostOf(settings: JsonObject): string {
  return asText(settings['host']) || headerValue(asObject(settings['headers']), 'host');
}

/** Kind of header on raw TCP, in lower case as the core reads it; empty = none is named. */
export function tcpHeaderType(stream: JsonObject): string {
  return asText(asObject(asObject(stream['tcpSettings'])['header'])['type']).toLowerCase();
}

function tcpParams(stream: JsonObject): Record<string, string> {
  if (tcpHeaderType(stream) !== 'http') return {};
  const header = asObject(asObject(stream['tcpSettings'])['header']);
  const request = asObject(header['request']);
  const paths = asList(request['path']);
  const host =
    headerValue(asObject(asObject(header['response'])['headers']), 'host') ||
    headerValue(asObject(request['headers']), 'host');
  return { headerType: 'http', ...(paths.length > 0 && { path: asText(paths[0]) }), host };
}

function kcpParams({ finalMask }: Endpoint, settings: JsonObject): Record<string, string> {
  let header = asText(asObject(settings['header'])['type']);
  let seed = asText(settings['seed']);
  for (const item of asList(finalMask['udp'])) {
    const mask = asObject(item);
    if (mask['type'] !== 'mkcp-legacy') continue;
    const inner = asObject(mask['settings']);
    const kind = asText(inner['header']);
    if (kind === '') seed = asText(inner['value']) || seed;
    else if (kind === 'wechat') header = 'wechat-video';
    else if (KCP_HEADERS.includes(kind)) header = kind;
  }
  const count = (key: string) => {
    const value = Number(settings[key]);
    return Number.isInteger(value) && value > 0 ? { [key]: String(value) } : {};
  };
  return {
    ...(header !== '' && header !== 'none' && { headerType: header }),
    ...(seed !== '' && { seed }),
    ...count('mtu'),
    ...count('tti'),
  };
}

function xhttpParams(settings: JsonObject): Record<string, string> {
  const extra = xhttpExtra(settings);
  const padding = asText(extra['xPaddingBytes']);
  return {
    path: asText(settings['path']),
    host: hostOf(settings),
    ...('mode' in settings && { mode: asText(settings['mode']) }),
    ...(padding !== '' && { x_padding_bytes: padding }),
    ...(Object.keys(extra).length > 0 && { extra: canonicalJson(extra) }),
  };
}
