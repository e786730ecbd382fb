import { withoutBrackets } from '../contract/fields/host-text.ts';
import type { Json, JsonObject } from '../contract/json.ts';
import { parseJsonObject } from '../contract/json-text.ts';
import { isFlowCapable } from '../core/config/inbound/inbound-rules.ts';
import { asObject, asText, asTexts } from './encoding.ts';
import { mergedMask } from './final-mask.ts';
import { withoutHost } from './http-headers.ts';
import { tcpHeaderType } from './transport-params.ts';
import type { Endpoint, LinkFormat, LinkHost, TlsModel } from './types.ts';

export const NO_ADDRESS = 'The endpoint has no address';
export const NO_OBJECT = 'This external proxy is no object';
const EMPTY_TLS: TlsModel = {
  serverName: null,
  alpn: [],
  fingerprint: null,
  echConfigList: '',
  verifyPeerCertByName: '',
  pins: [],
};

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

/** Hysteria always uses TLS, and its links accept no change of it except pins. */
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

/** Without TLS or REALITY a flow needs vless encryption. */
function keepsFlow({ takesFlow, protocol, settings, stream }: Endpoint, security: string): boolean {
  return takesFlow && isFlowCapable(protocol, settings, { ...stream, security });
}

/** The endpoint that a host creates from its inbound. */
export function withHost(own: Endpoint, host: LinkHost, format: LinkFormat): Endpoint {
  const address = withoutBrackets(host.address) || own.address;
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
    stream: withTransport(own, host, format),
    flaw: address === '' ? NO_ADDRESS : '',
    takesFlow: keepsFlow(own, security),
    allowInsecure: host.allowInsecure && security !== 'none',
    ownPins: pins,
    finalMask: mergedMask(own.finalMask, parseJsonObject(host.finalMask) ?? {}),
    host,
  };
}

/** The endpoint that a legacy external proxy creates from its inbound. */
export function withProxy(own: Endpoint, stored: Json, format: LinkFormat): Endpoint {
  const proxy = asObject(stored);
  const address = withoutBrackets(asText(proxy['dest']));
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
  const hasPort = Number.isInteger(port) && port > 0 && port <= 65_535;
  const wanted = typeof forced === 'string' && forced !== '' ? secured(own, forced, change) : kept;
  return {
    ...own,
    ...wanted,
    takesFlow: keepsFlow(own, wanted.security),
    kind: 'externalProxy',
    hostRemark: asText(proxy['remark']),
    address,
    port: hasPort ? port : own.port,
    ownPins: pins,
    flaw: proxyFlaw(Object.keys(proxy).length > 0, address, hasPort || own.network !== 'hysteria' || format !== 'raw'),
  };
}

function proxyFlaw(isObject: boolean, address: string, isPortKnown: boolean): string {
  if (!isObject) return NO_OBJECT;
  if (address === '') return 'This external proxy names no address';
  // The inbound's port replaces a missing one, but not in Hysteria links.
  return isPortKnown ? '' : 'This external proxy names no port';
}

/** Host and path are set only where the transport has them; in an HTTP header of TCP only in links. */
function withTransport({ stream, network }: Endpoint, { hostHeader: host, path }: LinkHost, format: LinkFormat) {
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
  if (format !== 'raw' || network !== 'tcp' || tcpHeaderType(stream) !== 'http') return stream;
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
