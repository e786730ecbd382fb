import { bracketed } from './address.ts';
import { hysteriaVersion, shadowsocksKeys, vlessFlow, vlessId } from './client-identity.ts';
import { encodePart, encodeQuery } from './encode.ts';
import { hopPorts, salamanderPassword } from './final-mask.ts';
import { textOf } from './json-values.ts';
import { hexPin } from './pin.ts';
import { securityParams, tlsParams } from './security-params.ts';
import { httpHeader, transportParams, type Params } from './transport-params.ts';
import type { Endpoint, LinkClient, Rendered } from './types.ts';
import { vmessLink } from './vmess-link.ts';

/** The share link of a client at an endpoint, named by `remark`. */
export function shareLink(endpoint: Endpoint, client: LinkClient, remark: string): Rendered<string> {
  switch (endpoint.protocol) {
    case 'vless':
      return { value: vless(endpoint, client, remark) };
    case 'vmess':
      return vmessLink(endpoint, client, remark);
    case 'trojan':
      return { value: trojan(endpoint, client, remark) };
    case 'shadowsocks':
      return { value: shadowsocks(endpoint, client, remark) };
    case 'hysteria':
    case 'hysteria2':
      return hysteria(endpoint, client, remark);
    default:
      return { leftOut: `${endpoint.protocol} has no share link` };
  }
}

function url(scheme: string, userInfo: string, { address, port }: Endpoint, params: Params, remark: string): string {
  const fragment = remark === '' ? '' : `#${encodePart(remark)}`;
  return `${scheme}://${userInfo}@${bracketed(address)}:${port}?${encodeQuery(params)}${fragment}`;
}

/** Certificates go unchecked where a host says so; pointless without TLS. */
const insecureMark = ({ allowInsecure, security }: Endpoint): Params =>
  allowInsecure && security !== 'none' ? { allowInsecure: '1' } : {};

function vless(endpoint: Endpoint, client: LinkClient, remark: string): string {
  const { encryption } = endpoint.settings;
  const params = {
    ...transportParams(endpoint),
    ...securityParams(endpoint, client),
    ...insecureMark(endpoint),
    encryption: encryption === undefined ? undefined : textOf(encryption),
    flow: vlessFlow(endpoint, client) || undefined,
  };
  return url('vless', vlessId(endpoint, client), endpoint, params, remark);
}

function trojan(endpoint: Endpoint, client: LinkClient, remark: string): string {
  const carriesFlow = endpoint.security === 'reality' && endpoint.network === 'tcp';
  const params = {
    ...transportParams(endpoint),
    ...securityParams(endpoint, client),
    ...insecureMark(endpoint),
    flow: carriesFlow ? client.flow || undefined : undefined,
  };
  return url('trojan', encodePart(client.password), endpoint, params, remark);
}

function shadowsocks(endpoint: Endpoint, client: LinkClient, remark: string): string {
  const { method, keys } = shadowsocksKeys(endpoint, client);
  const userInfo = method.startsWith('2022')
    ? [method, ...keys].map(encodePart).join(':')
    : Buffer.from(`${method}:${keys[0] ?? ''}`).toString('base64url');
  const { tls, security } = endpoint;
  const isTls = security === 'tls' && tls !== null;
  const header = httpHeader(endpoint);
  const params: Params = {
    ...transportParams(endpoint),
    ...(isTls ? { ...tlsParams(tls), pcs: tls.pins.join(',') || undefined } : {}),
    ...insecureMark(endpoint),
    security: isTls ? 'tls' : endpoint.kind === 'own' ? undefined : security,
  };
  if (header !== null) {
    // Apps that follow the shadowsocks link standard know the camouflage as a plugin.
    for (const key of ['type', 'headerType', 'host', 'path']) delete params[key];
    params['plugin'] = `obfs-local;obfs=http;obfs-host=${header.host}`;
  }
  return url('ss', userInfo, endpoint, params, remark);
}

function hysteria(endpoint: Endpoint, client: LinkClient, remark: string): Rendered<string> {
  const { tls, finalMask, kind } = endpoint;
  if (endpoint.address === '' || endpoint.port === 0) return { leftOut: 'the external proxy has no address or port' };
  const obfsPassword = salamanderPassword(finalMask);
  const params: Params = {
    security: 'tls',
    ...(tls === null ? {} : tlsParams(tls)),
    pinSHA256: tls?.pins.map(hexPin).join(',') || undefined,
    insecure: endpoint.allowInsecure ? '1' : undefined,
    obfs: obfsPassword === '' ? undefined : 'salamander',
    'obfs-password': obfsPassword || undefined,
    mport: kind === 'own' ? hopPorts(finalMask) || undefined : undefined,
  };
  const scheme = hysteriaVersion(endpoint) === 1 ? 'hysteria' : 'hysteria2';
  return { value: url(scheme, encodePart(client.auth), endpoint, params, remark) };
}
