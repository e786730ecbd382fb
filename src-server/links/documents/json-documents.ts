import type { Json, JsonObject } from '../../contract/json.ts';
import { parseJsonObject } from '../../contract/json-text.ts';
import { flowAt, isHysteria1, shadowsocksCipher, shadowsocksKeys, vlessId, vmessCipher } from '../credentials.ts';
import { asObject, asText, pinHex, spiderPath } from '../encoding.ts';
import { headerValue, withoutHost } from '../http-headers.ts';
import { mergedMask, withoutHopPorts } from '../final-mask.ts';
import { compileJson, slot } from '../slots.ts';
import { hostOf } from '../transport-params.ts';
import type { Endpoint, JsonFormatSettings, LinkClient, Prepared } from '../types.ts';
import { xhttpClientSettings } from '../xhttp.ts';

/** Complete core config of an endpoint, ready for clients. */
export function prepareJsonConfig(endpoint: Endpoint, settings: JsonFormatSettings): Prepared {
  const why = whyLeftOut(endpoint);
  if (why !== null) return { endpoint, reason: why };
  const proxy = proxyOutbound(endpoint, settings, false);
  const withFlow = proxyOutbound(endpoint, settings, true);
  const compile = (outbound: JsonObject) => compileJson(configText(slot('name'), outbound, settings.subJsonRules));
  const plain = compile(proxy);
  const flowing = compile({ ...withFlow, settings: { ...asObject(withFlow['settings']), flow: slot('flow') } });
  return {
    endpoint,
    render(client, name) {
      const flow = endpoint.protocol === 'vless' ? flowAt(endpoint, client) : '';
      return (flow === '' ? plain : flowing)({ ...valuesOf(endpoint, client), flow, name });
    },
  };
}

/** Config around the outbound of a foreign link. */
export function foreignJsonConfig(outbound: JsonObject, name: string, settings: JsonFormatSettings): string {
  return configText(name, { ...outbound, tag: 'proxy' }, settings.subJsonRules);
}

/** The document around configs, in order. */
export function jsonDocument(configs: readonly string[]): string {
  return `[\n${configs.join(',\n')}\n]`;
}

function whyLeftOut(endpoint: Endpoint): string | null {
  if (endpoint.flaw !== '') return endpoint.flaw;
  return isHysteria1(endpoint) ? 'The core knows no Hysteria 1' : null;
}

function valuesOf(endpoint: Endpoint, client: LinkClient): Record<string, string> {
  return {
    id: endpoint.protocol === 'vless' ? vlessId(endpoint, client.uuid) : client.uuid,
    cipher: vmessCipher(client.security),
    password: endpoint.protocol === 'shadowsocks' ? shadowsocksKeys(endpoint, client).join(':') : client.password,
    auth: client.auth,
    spider: endpoint.reality === null ? '' : spiderPath(endpoint.reality.spiderX, client),
  };
}

function proxyOutbound(endpoint: Endpoint, settings: JsonFormatSettings, hasFlow: boolean): JsonObject {
  const isHysteria = endpoint.network === 'hysteria';
  const mux = muxOf(endpoint, settings.subJsonMux, hasFlow);
  return {
    protocol: isHysteria ? 'hysteria' : endpoint.protocol,
    tag: 'proxy',
    streamSettings: streamSettings(endpoint, settings),
    ...(mux !== null && { mux }),
    settings: outboundSettings(endpoint),
  };
}

/** With Vision or XHTTP, the core fails every connection that it should carry in mux. */
function muxOf({ host, network, stream }: Endpoint, subJsonMux: string, hasFlow: boolean): JsonObject | null {
  const hasOwnMux = 'xmux' in asObject(stream['xhttpSettings']);
  const mux = parseJsonObject(host?.muxParams ?? '') ?? (hasOwnMux ? null : parseJsonObject(subJsonMux));
  const isForTcp = mux?.['enabled'] === true && !(Number(mux['concurrency']) < 0);
  return isForTcp && (hasFlow || network === 'xhttp') ? null : mux;
}

function outboundSettings({ protocol, address, port, settings }: Endpoint): JsonObject {
  const server = { address, port };
  switch (protocol) {
    case 'vmess':
      return { ...server, id: slot('id'), security: slot('cipher'), level: 8 };
    case 'vless':
      return { ...server, id: slot('id'), encryption: asText(settings['encryption']) || 'none', level: 8 };
    case 'trojan':
      return { servers: [{ ...server, password: slot('password'), level: 8 }] };
    case 'shadowsocks':
      return { servers: [{ ...server, password: slot('password'), level: 8, method: shadowsocksCipher(settings) }] };
    default:
      return { version: 2, ...server };
  }
}

function streamSettings(endpoint: Endpoint, settings: JsonFormatSettings): JsonObject {
  const { kind, network, security, stream, tls, reality, host } = endpoint;
  const key = `${network}Settings`;
  const transport = asObject(stream[key]);
  const { acceptProxyProtocol: _accept, ...dialled } = withPlainHost(transport);
  const global = parseJsonObject(settings.subJsonFinalMask) ?? {};
  const own = mergedMask(asObject(stream['finalmask']), global);
  const merged = mergedMask(own, parseJsonObject(host?.finalMask ?? '') ?? {});
  const mask = network === 'hysteria' && kind !== 'own' ? withoutHopPorts(merged) : merged;
  const sockopt = parseJsonObject(host?.sockoptParams ?? '');
  return {
    network,
    security: security === '' ? 'none' : security,
    ...(key in stream &&
      network !== 'hysteria' && { [key]: network === 'xhttp' ? xhttpClientSettings(dialled) : dialled }),
    ...(tls !== null && { tlsSettings: tlsSettings(tls) }),
    ...(reality !== null && { realitySettings: realitySettings(reality) }),
    ...(sockopt !== null && { sockopt }),
    ...(Object.keys(mask).length > 0 && { finalmask: mask }),
    ...(network === 'hysteria' && { hysteriaSettings: hysteriaSettings(transport) }),
  };
}

/** The core reads the host only from its own key: some of its transports refuse it among the headers. */
function withPlainHost(transport: JsonObject): JsonObject {
  const headers = asObject(transport['headers']);
  if (headerValue(headers, 'host') === '') return transport;
  return { ...transport, host: hostOf(transport), headers: withoutHost(headers) };
}

function hysteriaSettings({ udpIdleTimeout, masquerade }: JsonObject): JsonObject {
  return {
    version: 2,
    auth: slot('auth'),
    ...(udpIdleTimeout !== undefined && { udpIdleTimeout }),
    ...(masquerade !== undefined && { masquerade }),
  };
}

function tlsSettings(tls: NonNullable<Endpoint['tls']>): JsonObject {
  return {
    ...(tls.serverName !== null && { serverName: tls.serverName }),
    ...(tls.alpn.length > 0 && { alpn: [...tls.alpn] }),
    ...(tls.fingerprint !== null && tls.fingerprint !== '' && { fingerprint: tls.fingerprint }),
    ...(tls.echConfigList !== '' && { echConfigList: tls.echConfigList }),
    ...(tls.verifyPeerCertByName !== '' && { verifyPeerCertByName: tls.verifyPeerCertByName }),
    ...(tls.pins.length > 0 && { pinnedPeerCertSha256: tls.pins.map((pin) => pinHex(pin)).join(',') }),
  };
}

function realitySettings(reality: NonNullable<Endpoint['reality']>): JsonObject {
  const { publicKey, fingerprint, mldsa65Verify, shortId, serverName } = reality;
  return { show: false, publicKey, fingerprint, mldsa65Verify, spiderX: slot('spider'), shortId, serverName };
}

function configText(name: string, proxy: JsonObject, rules: string): string {
  const config: JsonObject = {
    remarks: name,
    log: { loglevel: 'warning' },
    dns: { tag: 'dns_out', queryStrategy: 'UseIP', servers: [{ address: '8.8.8.8', skipFallback: false }] },
    inbounds: INBOUNDS,
    outbounds: [proxy, ...OTHER_OUTBOUNDS],
    policy: POLICY,
    routing: {
      domainStrategy: 'AsIs',
      rules: [...rulesOf(rules), { type: 'field', network: 'tcp,udp', outboundTag: 'proxy' }],
    },
    stats: {},
  };
  return JSON.stringify([config], null, 2).slice(2, -2);
}

/** Stored text that is not a list counts as none. */
function rulesOf(text: string): Json[] {
  try {
    const rules: unknown = JSON.parse(text);
    return Array.isArray(rules) ? (rules as Json[]) : [];
  } catch {
    return [];
  }
}

const INBOUNDS: Json = [
  {
    tag: 'mixed',
    port: 10_808,
    protocol: 'mixed',
    settings: { auth: 'noauth', udp: true, userLevel: 8 },
    sniffing: { enabled: true, destOverride: ['http', 'tls', 'quic', 'fakedns'] },
  },
  { tag: 'http', port: 10_809, protocol: 'http', settings: { userLevel: 8 } },
];
const OTHER_OUTBOUNDS: Json[] = [
  { tag: 'direct', protocol: 'freedom', settings: { domainStrategy: 'AsIs', redirect: '', noises: [] } },
  { tag: 'block', protocol: 'blackhole', settings: { response: { type: 'http' } } },
];
const POLICY: Json = {
  levels: { '8': { connIdle: 300, downlinkOnly: 1, handshake: 4, uplinkOnly: 1 } },
  system: { statsOutboundUplink: true, statsOutboundDownlink: true },
};
