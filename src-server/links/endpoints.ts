import type { Json, JsonObject } from '../contract/json.ts';
import { parseJsonObject } from '../contract/json-text.ts';
import { isBehindFallback } from './address.ts';
import { asList, asObject, asText, asTexts } from './encoding.ts';
import { mergedMask } from './final-mask.ts';
import type { Endpoint, LinkFormat, LinkHost, LinkInbound, RealityModel, TlsModel } from './types.ts';

const EMPTY_TLS: TlsModel = {
  serverName: null,
  alpn: [],
  fingerprint: null,
  echConfigList: '',
  verifyPeerCertByName: '',
  pins: [],
};

/**
 * The entries of an inbound in a format: one per host that the format does not exclude, else per legacy external proxy,
 * else the inbound itself.
 * @param addressOf Where an inbound is reached.
 */
export function endpointsOf(inbound: LinkInbound, format: LinkFormat, addressOf: (inbound: LinkInbound) => string) {
  const reached = projected(inbound);
  const own = ownEndpoint(reached, addressOf(reached));
  const hosts = inbound.hosts.filter(({ excludeFromSubTypes }) => !excludeFromSubTypes.includes(format));
  if (hosts.length > 0) return hosts.map((host) => withHost(own, host));
  const proxies = asList(reached.stream['externalProxy']).filter((item) => Object.keys(asObject(item)).length > 0);
  if (proxies.length > 0) return proxies.map((proxy) => withProxy(own, asObject(proxy)));
  return [own];
}

/** An inbound behind a fallback is reached at its master, with the master's security and its own transport. */
function projected(inbound: LinkInbound): LinkInbound {
  const { master } = inbound;
  if (master === null || !isBehindFallback(inbound.listen)) return inbound;
  const { tlsSettings: _tls, realitySettings: _reality, security: _security, ...transport } = inbound.stream;
  const { security, tlsSettings, realitySettings, externalProxy } = master.stream;
  const stream: JsonObject = {
    ...transport,
    ...(security !== undefined && { security }),
    ...(tlsSettings !== undefined && { tlsSettings }),
    ...(realitySettings !== undefined && { realitySettings }),
    ...(externalProxy !== undefined && { externalProxy }),
  };
  return { ...inbound, listen: master.listen, port: master.port, stream };
}

function ownEndpoint(inbound: LinkInbound, address: string): Endpoint {
  const { stream } = inbound;
  const isHysteria = inbound.protocol.startsWith('hysteria');
  const security = isHysteria ? 'tls' : asText(stream['security']);
  const tls = security === 'tls' ? tlsOf(asObject(stream['tlsSettings'])) : null;
  return {
    inboundId: inbound.id,
    inboundRemark: inbound.remark,
    hostRemark: '',
    kind: 'own',
    protocol: inbound.protocol,
    settings: inbound.settings,
    address,
    port: inbound.port,
    network: isHysteria ? 'hysteria' : asText(stream['network']) || 'tcp',
    security,
    inboundSecurity: asText(stream['security']),
    stream,
    tls,
    inboundTls: tls,
    reality: security === 'reality' ? realityOf(asObject(stream['realitySettings'])) : null,
    allowInsecure: false,
    ownPins: [],
    finalMask: asObject(stream['finalmask']),
    host: null,
  };
}

function tlsOf(stored: JsonObject): TlsModel {
  const inner = asObject(stored['settings']);
  return {
    serverName: 'serverName' in stored ? asText(stored['serverName']) : null,
    alpn: asTexts(stored['alpn']),
    fingerprint: 'fingerprint' in inner ? asText(inner['fingerprint']) : null,
    echConfigList: asText(inner['echConfigList']),
    verifyPeerCertByName: asText(inner['verifyPeerCertByName']).trim(),
    pins: asTexts(inner['pinnedPeerCertSha256']),
  };
}

function realityOf(stored: JsonObject): RealityModel {
  const inner = asObject(stored['settings']);
  return {
    serverName: asTexts(stored['serverNames'])[0] ?? '',
    shortId: asTexts(stored['shortIds'])[0] ?? '',
    publicKey: asText(inner['publicKey']),
    fingerprint: asText(inner['fingerprint']),
    mldsa65Verify: asText(inner['mldsa65Verify']),
    spiderX: asText(inner['spiderX']),
  };
}

interface TlsChange {
  sni: string;
  fingerprint: string;
  alpn: readonly string[];
  pins: readonly string[];
  echConfigList: string;
  verifyPeerCertByName: string;
}

function changedTls(tls: TlsModel, change: TlsChange): TlsModel {
  return {
    serverName: change.sni || tls.serverName,
    alpn: change.alpn.length > 0 ? change.alpn : tls.alpn,
    fingerprint: change.fingerprint || tls.fingerprint,
    echConfigList: change.echConfigList || tls.echConfigList,
    verifyPeerCertByName: change.verifyPeerCertByName.trim() || tls.verifyPeerCertByName,
    pins: change.pins.length > 0 ? change.pins : tls.pins,
  };
}

/** Hysteria is TLS by nature and its links take no change of it but pins. */
function secured(own: Endpoint, wanted: string, change: TlsChange) {
  if (own.network === 'hysteria')
    return { security: 'tls', tls: changedTls(own.tls ?? EMPTY_TLS, change), reality: null };
  if (wanted === 'none') return { security: 'none', tls: null, reality: null };
  const security = wanted === 'tls' ? 'tls' : own.security;
  return {
    security,
    tls: security === 'tls' ? changedTls(own.tls ?? EMPTY_TLS, change) : null,
    reality: security === 'reality' ? own.reality : null,
  };
}

function withHost(own: Endpoint, host: LinkHost): Endpoint {
  const address = host.address || own.address;
  const sni = host.keepSniBlank ? '' : host.overrideSniFromAddress ? address : host.sni;
  const { fingerprint, alpn, echConfigList, verifyPeerCertByName, pinnedPeerCertSha256: pins } = host;
  const { security, tls, reality } = secured(own, host.security, {
    sni,
    fingerprint,
    alpn,
    pins,
    echConfigList,
    verifyPeerCertByName,
  });
  return {
    ...own,
    kind: 'host',
    hostRemark: host.remark,
    address,
    port: host.port || own.port,
    security,
    tls,
    reality: reality && {
      ...reality,
      serverName: sni || reality.serverName,
      fingerprint: fingerprint || reality.fingerprint,
    },
    stream: withTransport(own.stream, own.network, host.hostHeader, host.path),
    allowInsecure: host.allowInsecure && security !== 'none',
    ownPins: pins,
    finalMask: mergedMask(own.finalMask, parseJsonObject(host.finalMask) ?? {}),
    host,
  };
}

function withProxy(own: Endpoint, proxy: JsonObject): Endpoint {
  const forced = proxy['forceTls'];
  const pins = asTexts(proxy['pinnedPeerCertSha256']);
  const change = {
    sni: asText(proxy['sni']),
    fingerprint: asText(proxy['fingerprint']),
    alpn: asTexts(proxy['alpn']),
    pins,
    echConfigList: asText(proxy['echConfigList']),
    verifyPeerCertByName: asText(proxy['verifyPeerCertByName']),
  };
  const kept = { security: own.security, tls: own.tls, reality: own.reality };
  const port = Number(proxy['port']);
  return {
    ...own,
    ...(typeof forced === 'string' && forced !== '' ? secured(own, forced, change) : kept),
    kind: 'externalProxy',
    hostRemark: asText(proxy['remark']),
    address: asText(proxy['dest']),
    port: Number.isInteger(port) && port > 0 && port <= 65_535 ? port : own.port,
    ownPins: pins,
  };
}

/** Host and path go only where the transport has them. */
function withTransport(stream: JsonObject, network: string, host: string, path: string): JsonObject {
  if (host === '' && path === '') return stream;
  const key = `${network}Settings`;
  if (['ws', 'httpupgrade', 'xhttp'].includes(network)) {
    const settings: JsonObject = {
      ...asObject(stream[key]),
      ...(host !== '' && { host }),
      ...(path !== '' && { path }),
    };
    return { ...stream, [key]: settings };
  }
  const tcp = asObject(stream['tcpSettings']);
  const header = asObject(tcp['header']);
  if (network !== 'tcp' || header['type'] !== 'http') return stream;
  const request = asObject(header['request']);
  const headers = withoutHost(asObject(request['headers']));
  const changed: JsonObject = {
    ...request,
    ...(path !== '' && { path: [path] }),
    headers: host === '' ? (request['headers'] ?? {}) : { ...headers, Host: [host] },
  };
  const { response: _response, ...rest } = header;
  const inner: JsonObject = host === '' ? header : rest;
  return { ...stream, tcpSettings: { ...tcp, header: { ...inner, request: changed } } };
}

/** Value of a header by name in any case; the first one of a list. */
export function headerValue(headers: JsonObject, name: string): string {
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name);
  const value: Json | undefined = found?.[1];
  return Array.isArray(value) ? asText(value[0]) : asText(value);
}

export function withoutHost(headers: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(headers).filter(([key]) => key.toLowerCase() !== 'host'));
}
