import type { JsonObject } from '../../contract/json.ts';
import { isFlowCapable } from '../../core/config/inbound/inbound-rules.ts';
import { missingCredential } from '../credentials.ts';
import { asObject, asText, asTexts } from '../encoding.ts';
import type { ParsedOutbound } from '../parse/parsed-outbound.ts';
import type { Endpoint, LeftOutReason, LinkClient } from '../types.ts';
import { whyNoProxy } from './why-no-proxy.ts';
import { yamlProxy } from './yaml-proxies.ts';
import { wireguardProxy } from './yaml-wireguard.ts';

/** The proxy for a foreign link, its name not yet unique, or why the format has none. */
export function foreignYamlProxy(outbound: ParsedOutbound, name: string): JsonObject | LeftOutReason {
  if (outbound.protocol === 'wireguard') return wireguardProxy(outbound.settings, name);
  const place = placeOf(outbound);
  const endpoint = endpointOf(outbound, place);
  const client = clientOf(place, endpoint.stream);
  const reason = whyNoProxy(endpoint) ?? missingCredential(outbound.protocol, client);
  if (reason !== null) return { reason };
  const proxy = yamlProxy(endpoint, client, name);
  // The password in a link is complete; an inbound's would have the server's key before it.
  return outbound.protocol === 'shadowsocks' ? { ...proxy, password: asText(place['password']) } : proxy;
}

const first = (value: unknown): JsonObject => asObject(Array.isArray(value) ? (value as JsonObject[])[0] : undefined);

/** Address and credentials, wherever the protocol keeps them. */
function placeOf({ protocol, settings }: ParsedOutbound): JsonObject {
  if (protocol === 'vmess') {
    const server = first(settings['vnext']);
    return { ...server, ...first(server['users']) };
  }
  return protocol === 'trojan' || protocol === 'shadowsocks' ? first(settings['servers']) : settings;
}

function clientOf(place: JsonObject, stream: JsonObject): LinkClient {
  return {
    uuid: asText(place['id']),
    email: '',
    subId: '',
    password: asText(place['password']),
    auth: asText(asObject(stream['hysteriaSettings'])['auth']),
    flow: asText(place['flow']),
    security: asText(place['security']),
  };
}

function endpointOf({ protocol, streamSettings: stream = {} }: ParsedOutbound, place: JsonObject): Endpoint {
  const security = asText(stream['security']);
  const tls = asObject(stream['tlsSettings']);
  const reality = asObject(stream['realitySettings']);
  const pins = asText(tls['pinnedPeerCertSha256'])
    .split(',')
    .filter((pin) => pin !== '');
  const tlsModel = {
    serverName: asText(tls['serverName']),
    alpn: asTexts(tls['alpn']),
    fingerprint: asText(tls['fingerprint']),
    echConfigList: asText(tls['echConfigList']),
    verifyPeerCertByName: asText(tls['verifyPeerCertByName']),
    pins,
  };
  return {
    inboundId: 0,
    inboundRemark: '',
    hostRemark: '',
    kind: 'own',
    protocol,
    settings: place,
    address: asText(place['address']),
    port: Number(place['port']),
    network: asText(stream['network']) || 'tcp',
    security,
    inboundSecurity: security,
    stream,
    tls: security === 'tls' ? tlsModel : null,
    inboundTls: null,
    reality:
      security === 'reality'
        ? {
            serverName: asText(reality['serverName']),
            shortId: asText(reality['shortId']),
            publicKey: asText(reality['publicKey']),
            fingerprint: asText(reality['fingerprint']),
            mldsa65Verify: asText(reality['mldsa65Verify']),
            spiderX: asText(reality['spiderX']),
            minClientVer: '',
          }
        : null,
    // The server's half of an encryption is not in a link; the app's half shows that there is one.
    takesFlow: isFlowCapable(protocol, { decryption: place['encryption'] ?? '' }, stream),
    allowInsecure: false,
    ownPins: [],
    finalMask: asObject(stream['finalmask']),
    host: null,
    flaw: asText(place['address']) === '' ? 'The link has no address' : '',
  };
}
