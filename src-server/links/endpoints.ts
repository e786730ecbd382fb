import type { Json, JsonObject } from '../contract/json.ts';
import { resolveAddress, unbracketed, type AddressSources } from './address.ts';
import { mergeMasks } from './final-mask.ts';
import { isObject, listOf, objectOf, parseObject, textOf, textsOf } from './json-values.ts';
import type { ClientReality, ClientTls, Endpoint, LinkFormat, LinkHost, LinkInbound } from './types.ts';

/**
 * The ways to an inbound in one format: its hosts, else its legacy `externalProxy` entries, else itself.
 * @param hosts enabled hosts of the inbound, in order.
 */
export function endpointsOf(
  inbound: LinkInbound,
  hosts: readonly LinkHost[],
  format: LinkFormat,
  sources: AddressSources,
): Endpoint[] {
  const own = ownEndpoint(inbound, resolveAddress(inbound, sources));
  const shown = hosts.filter(({ excludeFromSubTypes }) => !excludeFromSubTypes.includes(format));
  if (shown.length > 0) return shown.map((host) => withHost(own, host));
  const entries = listOf(inbound.stream['externalProxy']);
  return entries.length > 0 ? entries.map((entry) => withExternalProxy(own, entry)) : [own];
}

function ownEndpoint({ remark, port, protocol, settings, stream }: LinkInbound, address: string): Endpoint {
  const stored = textOf(stream['security']);
  const security = stored === 'tls' || stored === 'reality' || stored === 'none' ? stored : '';
  return {
    kind: 'own',
    protocol,
    settings,
    inboundRemark: remark,
    remark: '',
    address,
    port,
    network: textOf(stream['network']) || 'tcp',
    stream,
    security,
    inboundSecurity: stored,
    tls: security === 'tls' ? storedTls(objectOf(stream['tlsSettings'])) : null,
    reality: security === 'reality' ? storedReality(objectOf(stream['realitySettings'])) : null,
    hostHeader: '',
    path: '',
    finalMask: objectOf(stream['finalmask']),
    allowInsecure: false,
    host: null,
  };
}

function storedTls(tls: JsonObject): ClientTls {
  const client = objectOf(tls['settings']);
  return {
    ...(tls['serverName'] === undefined ? {} : { sni: textOf(tls['serverName']) }),
    alpn: textsOf(tls['alpn']),
    ...(client['fingerprint'] === undefined ? {} : { fingerprint: textOf(client['fingerprint']) }),
    echConfigList: textOf(client['echConfigList']),
    verifyPeerCertByName: textOf(client['verifyPeerCertByName']).trim(),
    pins: textsOf(client['pinnedPeerCertSha256']),
  };
}

/** The first name and short id: any would do, and the first is the same tomorrow. */
function storedReality(reality: JsonObject): ClientReality {
  const client = objectOf(reality['settings']);
  return {
    sni: textsOf(reality['serverNames'])[0] ?? '',
    shortId: textsOf(reality['shortIds'])[0] ?? '',
    publicKey: textOf(client['publicKey']),
    fingerprint: textOf(client['fingerprint']),
    mldsa65Verify: textOf(client['mldsa65Verify']),
    spiderX: textOf(client['spiderX']),
  };
}

interface TlsOverrides {
  sni: string;
  alpn: readonly string[];
  fingerprint: string;
  echConfigList: string;
  verifyPeerCertByName: string;
  pins: readonly string[];
}

const NO_TLS: ClientTls = { alpn: [], echConfigList: '', verifyPeerCertByName: '', pins: [] };

function withTls(stored: ClientTls | null, over: TlsOverrides): ClientTls {
  const base = stored ?? NO_TLS;
  return {
    ...base,
    ...(over.sni === '' ? {} : { sni: over.sni }),
    ...(over.fingerprint === '' ? {} : { fingerprint: over.fingerprint }),
    alpn: over.alpn.length > 0 ? over.alpn : base.alpn,
    echConfigList: over.echConfigList || base.echConfigList,
    verifyPeerCertByName: over.verifyPeerCertByName || base.verifyPeerCertByName,
    pins: over.pins.length > 0 ? over.pins : base.pins,
  };
}

function withHost(own: Endpoint, host: LinkHost): Endpoint {
  const address = unbracketed(host.address) || own.address;
  const sni = host.keepSniBlank ? '' : host.overrideSniFromAddress ? address : host.sni;
  const over: TlsOverrides = {
    sni,
    alpn: host.alpn,
    fingerprint: host.fingerprint,
    echConfigList: host.echConfigList,
    verifyPeerCertByName: host.verifyPeerCertByName.trim(),
    pins: host.pinnedPeerCertSha256,
  };
  const security = host.security === 'none' || host.security === 'tls' ? host.security : own.security;
  const mask = parseObject(host.finalMask);
  return {
    ...own,
    kind: 'host',
    remark: host.remark,
    address,
    port: host.port || own.port,
    security,
    tls: security === 'tls' ? withTls(own.tls, over) : null,
    reality:
      security === 'reality' && own.reality !== null
        ? { ...own.reality, sni: sni || own.reality.sni, fingerprint: host.fingerprint || own.reality.fingerprint }
        : null,
    hostHeader: host.hostHeader,
    path: host.path,
    finalMask: mask === null ? own.finalMask : mergeMasks(own.finalMask, mask),
    allowInsecure: host.allowInsecure,
    host,
  };
}

/** An entry that is no object, or lacks a port, is tolerated: nothing of it applies, or the inbound's port does. */
function withExternalProxy(own: Endpoint, entry: Json): Endpoint {
  const proxy = isObject(entry) ? entry : {};
  const forced = textOf(proxy['forceTls']);
  const security = forced === 'tls' || forced === 'none' ? forced : own.security;
  const alpn = proxy['alpn'];
  const over: TlsOverrides = {
    sni: textOf(proxy['sni']),
    alpn: typeof alpn === 'string' ? alpn.split(',').filter((each) => each !== '') : textsOf(alpn),
    fingerprint: textOf(proxy['fingerprint']),
    echConfigList: textOf(proxy['echConfigList']),
    verifyPeerCertByName: textOf(proxy['verifyPeerCertByName']).trim(),
    pins: textsOf(proxy['pinnedPeerCertSha256']),
  };
  const { port } = proxy;
  return {
    ...own,
    kind: 'externalProxy',
    remark: textOf(proxy['remark']),
    address: unbracketed(textOf(proxy['dest'])),
    port: typeof port === 'number' ? port : own.protocol.startsWith('hysteria') ? 0 : own.port,
    security,
    tls: security !== 'tls' ? null : forced === '' ? own.tls : withTls(own.tls, over),
    reality: security === 'reality' ? own.reality : null,
  };
}
