import { canonicalJson } from '../contract/canonical-json.ts';
import type { JsonObject } from '../contract/json.ts';
import { flowAt, isHysteria1, shadowsocksCipher, shadowsocksKeys, vlessId, vmessCipher } from './credentials.ts';
import {
  asObject,
  asText,
  formEncoded,
  percentEncoded,
  pinHex,
  spiderPath,
  toBase64,
  toBase64Url,
} from './encoding.ts';
import { hopPorts, linkMask, salamanderPassword } from './final-mask.ts';
import { tcpHeaderType, transportParams } from './transport-params.ts';
import type { Endpoint, LinkClient, Prepared, PreparedEntry } from './types.ts';
import { xhttpExtra } from './xhttp.ts';
import { bracketed } from '../contract/host-and-port.ts';

type Params = Record<string, string>;
/** Placeholders for the client's values in a query: form-encoded text has no such brackets. */
const FLOW = '<flow>';
const SPIDER = '<spider>';

/** Share link of an endpoint, ready for clients. */
export function prepareShareLink(endpoint: Endpoint): Prepared {
  if (endpoint.flaw !== '') return { endpoint, reason: endpoint.flaw };
  switch (endpoint.protocol) {
    case 'vmess':
      return prepareVmess(endpoint);
    case 'vless':
      return prepareUrl(endpoint, 'vless', vlessParams(endpoint), ({ uuid }) => vlessId(endpoint, uuid));
    case 'trojan':
      return prepareUrl(endpoint, 'trojan', streamParams(endpoint), ({ password }) => percentEncoded(password));
    case 'shadowsocks':
      if (endpoint.reality !== null) return { endpoint, reason: 'Shadowsocks links have no form for REALITY' };
      return prepareUrl(endpoint, 'ss', shadowsocksParams(endpoint), (client) => shadowsocksUser(endpoint, client));
    case 'hysteria':
    case 'hysteria2': {
      const scheme = isHysteria1(endpoint) ? 'hysteria' : 'hysteria2';
      return prepareUrl(endpoint, scheme, hysteriaParams(endpoint), ({ auth }) => percentEncoded(auth));
    }
    default:
      return { endpoint, reason: `${endpoint.protocol} has no share link` };
  }
}

function prepareUrl(
  endpoint: Endpoint,
  scheme: string,
  params: Params,
  userOf: (client: LinkClient) => string,
): PreparedEntry {
  const place = `@${bracketed(endpoint.address)}:${endpoint.port}`;
  const keys = Object.keys(params).toSorted();
  const query = keys
    .map((key) => (key === 'flow' ? FLOW : `${key}=${key === 'spx' ? SPIDER : formEncoded(params[key]!)}&`))
    .join('')
    .replace(/&$/, '');
  const pieces = query.split(/(<\w+>)/);
  return {
    endpoint,
    render(client, name) {
      let text = `${scheme}://${userOf(client)}${place}`;
      let separator = '?';
      for (const piece of pieces) {
        if (piece === '') continue;
        text += separator;
        separator = '';
        if (piece === SPIDER) text += formEncoded(spiderPath(endpoint.reality?.spiderX ?? '', client));
        else if (piece === FLOW) {
          const flow = flowAt(endpoint, client);
          if (flow !== '') text += `flow=${formEncoded(flow)}&`;
        } else text += piece;
      }
      return name === '' ? text : `${text}#${percentEncoded(name)}`;
    },
  };
}

function vlessParams(endpoint: Endpoint): Params {
  const { encryption } = endpoint.settings;
  return { ...streamParams(endpoint), ...(encryption !== undefined && { encryption: asText(encryption) }) };
}

function streamParams(endpoint: Endpoint): Params {
  const mask = linkMask(endpoint.finalMask);
  return {
    type: endpoint.network,
    ...transportParams(endpoint),
    ...securityParams(endpoint),
    ...(Object.keys(mask).length > 0 && { fm: canonicalJson(mask) }),
    ...(endpoint.allowInsecure && { allowInsecure: '1' }),
    flow: '',
  };
}

function securityParams({ security, tls, reality }: Endpoint): Params {
  if (tls !== null)
    return { security: 'tls', ...tlsParams(tls), ...(tls.pins.length > 0 && { pcs: tls.pins.join(',') }) };
  if (reality === null || security !== 'reality') return { security: 'none' };
  return {
    security: 'reality',
    sni: reality.serverName,
    sid: reality.shortId,
    pbk: reality.publicKey,
    ...(reality.fingerprint !== '' && { fp: reality.fingerprint }),
    ...(reality.mldsa65Verify !== '' && { pqv: reality.mldsa65Verify }),
    spx: '',
  };
}

function tlsParams(tls: NonNullable<Endpoint['tls']>): Params {
  return {
    ...(tls.alpn.length > 0 && { alpn: tls.alpn.join(',') }),
    ...(tls.serverName !== null && { sni: tls.serverName }),
    ...(tls.fingerprint !== null && { fp: tls.fingerprint }),
    ...(tls.echConfigList !== '' && { ech: tls.echConfigList }),
    ...(tls.verifyPeerCertByName !== '' && { vcn: tls.verifyPeerCertByName }),
  };
}

/** SIP002 apps know an HTTP header only by the name of a plugin. */
function shadowsocksParams(endpoint: Endpoint): Params {
  const { security: _security, flow: _flow, ...params } = streamParams(endpoint);
  const { type: _type, headerType, host, path: _path, ...rest } = params;
  const isObfuscated = headerType === 'http' && endpoint.network === 'tcp';
  const secured = endpoint.tls === null && endpoint.kind === 'own' ? {} : { security: endpoint.security };
  return isObfuscated
    ? { ...rest, ...secured, plugin: `obfs-local;obfs=http;obfs-host=${host ?? ''}` }
    : { ...params, ...secured };
}

function shadowsocksUser(endpoint: Endpoint, client: LinkClient): string {
  const cipher = shadowsocksCipher(endpoint.settings);
  const parts = [cipher, ...shadowsocksKeys(endpoint, client)];
  return cipher.startsWith('2022') ? parts.map(percentEncoded).join(':') : toBase64Url(parts.join(':'));
}

function hysteriaParams(endpoint: Endpoint): Params {
  const { finalMask, ownPins, allowInsecure } = endpoint;
  const password = salamanderPassword(finalMask);
  const ports = hopPorts(endpoint);
  const tls = endpoint.inboundTls;
  const pins = ownPins.length > 0 ? ownPins : (tls?.pins ?? []);
  return {
    security: 'tls',
    ...(tls !== null && tlsParams(tls)),
    ...(pins.length > 0 && { pinSHA256: pins.map((pin) => pinHex(pin)).join(',') }),
    ...(password !== '' && { obfs: 'salamander', 'obfs-password': password }),
    ...(ports !== '' && { mport: ports }),
    ...(allowInsecure && { insecure: '1' }),
  };
}

function prepareVmess(endpoint: Endpoint): Prepared {
  if (endpoint.reality !== null) return { endpoint, reason: 'VMess links have no form for REALITY' };
  const { tls, network, security } = endpoint;
  const mask = linkMask(endpoint.finalMask);
  const common: JsonObject = {
    v: '2',
    add: endpoint.address,
    port: endpoint.port,
    net: network,
    tls: security,
    type: 'none',
    ...vmessTransport(endpoint),
    ...(tls !== null && tlsParams(tls)),
    ...(tls !== null && tls.pins.length > 0 && { pcs: tls.pins.join(',') }),
    ...(Object.keys(mask).length > 0 && { fm: canonicalJson(mask) }),
  };
  return {
    endpoint,
    render: (client, name) =>
      `vmess://${toBase64(
        JSON.stringify(
          JSON.parse(canonicalJson({ ...common, id: client.uuid, ps: name, scy: vmessCipher(client.security) })),
          null,
          2,
        ),
      )}`,
  };
}

function vmessTransport(endpoint: Endpoint): JsonObject {
  const { network, stream } = endpoint;
  const { headerType, seed, mtu, tti, serviceName, mode, extra: _extra, ...params } = transportParams(endpoint);
  switch (network) {
    case 'tcp':
      return { ...params, type: tcpHeaderType(stream) };
    case 'kcp':
      return {
        type: headerType ?? 'none',
        ...(seed !== undefined && { path: seed }),
        ...(mtu !== undefined && { mtu: Number(mtu) }),
        ...(tti !== undefined && { tti: Number(tti) }),
      };
    case 'grpc':
      return { ...params, path: serviceName ?? '', ...(mode === 'multi' && { type: 'multi' }) };
    case 'xhttp':
      return { ...xhttpExtra(asObject(stream['xhttpSettings'])), ...params, ...(mode !== undefined && { mode }) };
    default:
      return params;
  }
}
