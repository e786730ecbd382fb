import type { JsonObject } from '../../contract/json.ts';
import { flowAt, isHysteria1, shadowsocksCipher, shadowsocksKeys, vlessId, vmessCipher } from '../credentials.ts';
import { asObject, asText, pinHex } from '../encoding.ts';
import { hopPorts, salamanderPassword } from '../final-mask.ts';
import { hostOf } from '../transport-params.ts';
import type { Endpoint, LinkClient } from '../types.ts';
import { xhttpKnobs } from '../xhttp.ts';

const TYPES: Readonly<Record<string, string>> = { vmess: 'vmess', vless: 'vless', trojan: 'trojan', shadowsocks: 'ss' };

/** A client's proxy at an endpoint; its name is not yet unique. */
export function yamlProxy(endpoint: Endpoint, client: LinkClient, name: string): JsonObject {
  const { protocol, address: server, port, host } = endpoint;
  const isHysteria = protocol.startsWith('hysteria');
  const type = isHysteria ? hysteriaType(endpoint) : TYPES[protocol]!;
  const proxy: JsonObject = {
    name,
    type,
    server,
    port,
    udp: true,
    ...(isHysteria ? hysteriaPart(endpoint, client) : { ...credentials(endpoint, client), ...transport(endpoint) }),
    ...(!isHysteria && protocol !== 'shadowsocks' && securityPart(endpoint)),
    ...(host !== null && { 'ip-version': host.yamlIpVersion }),
  };
  return withoutEmpty(proxy);
}

function withoutEmpty(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== ''));
}

function hysteriaType(endpoint: Endpoint): string {
  return isHysteria1(endpoint) ? 'hysteria' : 'hysteria2';
}

function hysteriaPart(endpoint: Endpoint, { auth }: LinkClient): JsonObject {
  const { tls, finalMask, allowInsecure } = endpoint;
  const isFirst = hysteriaType(endpoint) === 'hysteria';
  const obfs = salamanderPassword(finalMask);
  return {
    ...(isFirst ? { 'auth-str': auth, up: '100 Mbps', down: '100 Mbps' } : { password: auth }),
    sni: tls?.serverName ?? '',
    ...(tls !== null && tls.alpn.length > 0 && { alpn: [...tls.alpn] }),
    fingerprint: pinHex(tls?.pins[0] ?? ''),
    ...(allowInsecure && { 'skip-cert-verify': true }),
    ...(obfs !== '' && { obfs: 'salamander', 'obfs-password': obfs }),
    ports: hopPorts(endpoint),
  };
}

function credentials(endpoint: Endpoint, client: LinkClient): JsonObject {
  const { protocol, settings } = endpoint;
  if (protocol === 'vmess') return { uuid: client.uuid, alterId: 0, cipher: vmessCipher(client.security) };
  if (protocol === 'trojan') return { password: client.password };
  if (protocol === 'shadowsocks')
    return { cipher: shadowsocksCipher(settings), password: shadowsocksKeys(endpoint, client).join(':') };
  const encryption = asText(settings['encryption']);
  return {
    uuid: vlessId(endpoint, client.uuid),
    encryption: encryption === 'none' ? '' : encryption,
    flow: flowAt(endpoint, client),
  };
}

function transport({ network, stream, protocol }: Endpoint): JsonObject {
  if (protocol === 'shadowsocks') return {};
  const settings = asObject(stream[`${network}Settings`]);
  const options = (key: string, value: JsonObject) => (Object.keys(value).length > 0 ? { [key]: value } : {});
  const host = hostOf(settings);
  const webSocket = {
    ...withoutEmpty({ path: asText(settings['path']) }),
    ...(host !== '' && { headers: { Host: host } }),
  };
  if (network === 'ws') return { network, ...options('ws-opts', webSocket) };
  if (network === 'httpupgrade') return { network: 'ws', 'ws-opts': { 'v2ray-http-upgrade': true, ...webSocket } };
  if (network === 'grpc')
    return { network, ...options('grpc-opts', withoutEmpty({ 'grpc-service-name': asText(settings['serviceName']) })) };
  return network === 'xhttp' ? { network, ...options('xhttp-opts', xhttpOptions(settings, host)) } : { network };
}

const XHTTP_NAMES: Readonly<Record<string, string>> = {
  xPaddingBytes: 'x-padding-bytes',
  uplinkHTTPMethod: 'uplink-http-method',
  sessionIDPlacement: 'session-placement',
  sessionIDKey: 'session-key',
  sessionIDTable: 'session-table',
  sessionIDLength: 'session-length',
  seqPlacement: 'seq-placement',
  seqKey: 'seq-key',
  uplinkDataPlacement: 'uplink-data-placement',
  uplinkDataKey: 'uplink-data-key',
  uplinkChunkSize: 'uplink-chunk-size',
  scMaxEachPostBytes: 'sc-max-each-post-bytes',
  scMinPostsIntervalMs: 'sc-min-posts-interval-ms',
  noGRPCHeader: 'no-grpc-header',
  xPaddingObfsMode: 'x-padding-obfs-mode',
  xPaddingKey: 'x-padding-key',
  xPaddingHeader: 'x-padding-header',
  xPaddingPlacement: 'x-padding-placement',
  xPaddingMethod: 'x-padding-method',
  headers: 'headers',
};
const REUSE_NAMES: Readonly<Record<string, string>> = {
  maxConcurrency: 'max-concurrency',
  maxConnections: 'max-connections',
  cMaxReuseTimes: 'c-max-reuse-times',
  hMaxRequestTimes: 'h-max-request-times',
  hMaxReusableSecs: 'h-max-reusable-secs',
  hKeepAlivePeriod: 'h-keep-alive-period',
};

function renamed(object: JsonObject, names: Readonly<Record<string, string>>): JsonObject {
  return Object.fromEntries(
    Object.entries(object).flatMap(([key, value]) =>
      Object.hasOwn(names, key) && value !== '' ? [[names[key]!, value]] : [],
    ),
  );
}

function xhttpOptions(settings: JsonObject, host: string): JsonObject {
  const knobs = xhttpKnobs(settings);
  const { 'h-keep-alive-period': keepAlive = 0, ...reuse } = renamed(asObject(knobs['xmux']), REUSE_NAMES);
  if (keepAlive !== 0) reuse['h-keep-alive-period'] = keepAlive;
  return {
    ...withoutEmpty({ path: asText(settings['path']), mode: asText(settings['mode']), host }),
    ...renamed(knobs, XHTTP_NAMES),
    ...(Object.keys(reuse).length > 0 && { 'reuse-settings': reuse }),
  };
}

function securityPart({ tls, reality, protocol, allowInsecure, host }: Endpoint): JsonObject {
  const named = (name: string) => ({ servername: name, sni: protocol === 'trojan' ? name : '' });
  if (reality !== null)
    return {
      tls: true,
      ...named(reality.serverName),
      'client-fingerprint': reality.fingerprint,
      'reality-opts': {
        ...withoutEmpty({ 'public-key': reality.publicKey, 'short-id': reality.shortId }),
        ...(host?.yamlX25519 === true && { 'support-x25519mlkem768': true }),
      },
    };
  if (tls === null) return { tls: false };
  return {
    tls: true,
    ...named(tls.serverName ?? ''),
    'client-fingerprint': tls.fingerprint ?? '',
    ...(tls.alpn.length > 0 && { alpn: [...tls.alpn] }),
    ...(allowInsecure && { 'skip-cert-verify': true }),
    fingerprint: pinHex(tls.pins[0] ?? ''),
    ...(tls.echConfigList !== '' && { 'ech-opts': { enable: true, config: tls.echConfigList } }),
  };
}
