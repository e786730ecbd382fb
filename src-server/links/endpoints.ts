import type { JsonObject } from '../contract/json.ts';
import { isFlowCapable } from '../core/config/inbound/inbound-rules.ts';
import { securityOf } from '../core/config/inbound/stream-settings.ts';
import { isBehindFallback } from './address.ts';
import { asList, asObject, asText, asTexts } from './encoding.ts';
import { NO_ADDRESS, NO_OBJECT, withHost, withProxy } from './endpoint-changes.ts';
import type { Endpoint, LinkFormat, LinkInbound, RealityModel, TlsModel } from './types.ts';

/**
 * The entries of an inbound in a format: one per host that the format does not exclude, else per legacy external proxy,
 * else the inbound itself.
 * @param addressOf the address of an inbound.
 */
export function endpointsOf(inbound: LinkInbound, format: LinkFormat, addressOf: (inbound: LinkInbound) => string) {
  const reached = projected(inbound);
  const takesFlow = isFlowCapable(inbound.protocol, inbound.settings, inbound.stream);
  const own = { ...ownEndpoint(reached, addressOf(reached)), takesFlow };
  const hosts = inbound.hosts.filter(({ excludeFromSubTypes }) => !excludeFromSubTypes.includes(format));
  if (hosts.length > 0) return hosts.map((host) => withHost(own, host, format));
  const proxies = asList(reached.stream['externalProxy']).map((proxy) => withProxy(own, proxy, format));
  // Invalid entries are still reported, but when there are no others they do not hide the inbound.
  return proxies.every(({ flaw }) => flaw === NO_OBJECT) ? [own, ...proxies] : proxies;
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

function ownEndpoint(inbound: LinkInbound, address: string): Omit<Endpoint, 'takesFlow'> {
  const { stream } = inbound;
  const isHysteria = inbound.protocol.startsWith('hysteria');
  // Empty stays empty: links of VMess repeat it.
  const inboundSecurity = asText(stream['security']) === '' ? '' : securityOf(stream);
  const security = isHysteria ? 'tls' : inboundSecurity;
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
    inboundSecurity,
    stream,
    tls,
    inboundTls: tls,
    reality: security === 'reality' ? realityOf(asObject(stream['realitySettings'])) : null,
    allowInsecure: false,
    ownPins: [],
    finalMask: asObject(stream['finalmask']),
    host: null,
    flaw: address === '' ? NO_ADDRESS : '',
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
    minClientVer: asText(stored['minClientVer']),
  };
}
