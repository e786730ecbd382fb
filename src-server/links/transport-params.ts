import type { JsonObject } from '../contract/json.ts';
import { linkMasks, udpMasks } from './final-mask.ts';
import { headerValue, objectOf, positiveInt, scalarText, sortedJson, textOf, textsOf } from './json-values.ts';
import type { Endpoint } from './types.ts';
import { xhttpExtra } from './xhttp.ts';

export type Params = Record<string, string | undefined>;

const KCP_HEADERS: Readonly<Record<string, string>> = {
  dns: 'dns',
  dtls: 'dtls',
  srtp: 'srtp',
  utp: 'utp',
  wireguard: 'wireguard',
  wechat: 'wechat-video',
};

/** Settings of a transport. `raw` is the newer name of `tcp`, `splithttp` the older of `xhttp`. */
export function transportSettings({ network, stream }: Endpoint): JsonObject {
  return objectOf(stream[`${network}Settings`]);
}

/** `path` and `host` as ws-like transports have them, the host's overrides first. */
export function pathAndHost(endpoint: Endpoint): { path: string; host: string } {
  const { path, host, headers } = transportSettings(endpoint);
  return {
    path: endpoint.path || textOf(path),
    host: endpoint.hostHeader || textOf(host) || headerValue(headers, 'host'),
  };
}

/** The HTTP camouflage of plain tcp; null when it is not used. */
export function httpHeader(endpoint: Endpoint): { path: string | undefined; host: string } | null {
  const header = objectOf(transportSettings(endpoint)['header']);
  if (endpoint.network !== 'tcp' || textOf(header['type']) !== 'http') return null;
  const request = objectOf(header['request']);
  const stored =
    headerValue(objectOf(header['response'])['headers'], 'host') || headerValue(request['headers'], 'host');
  const [first] = textsOf(request['path']);
  return {
    path: first === undefined ? undefined : endpoint.path || first,
    host: endpoint.hostHeader || stored,
  };
}

export interface Kcp {
  headerType: string;
  seed: string;
  mtu: number | null;
  tti: number | null;
}

/** kcp with the masks that took over its header and seed. */
export function kcpOf(endpoint: Endpoint): Kcp {
  const { header, seed, mtu, tti } = transportSettings(endpoint);
  const kcp: Kcp = {
    headerType: textOf(objectOf(header)['type']),
    seed: textOf(seed),
    mtu: positiveInt(mtu),
    tti: positiveInt(tti),
  };
  for (const mask of udpMasks(endpoint.finalMask, 'mkcp-legacy')) {
    const kind = textOf(mask['header']);
    if (kind === '') kcp.seed = textOf(mask['value']);
    else kcp.headerType = KCP_HEADERS[kind] ?? kcp.headerType;
  }
  return kcp;
}

/** Transport parameters of vless, trojan and shadowsocks links. */
export function transportParams(endpoint: Endpoint): Params {
  return { type: endpoint.network, ...ofNetwork(endpoint), fm: maskText(endpoint) };
}

/** Masks as a link carries them; undefined when there is none. */
export function maskText({ finalMask }: Endpoint): string | undefined {
  const masks = linkMasks(finalMask);
  return Object.keys(masks).length === 0 ? undefined : sortedJson(masks);
}

function ofNetwork(endpoint: Endpoint): Params {
  const settings = transportSettings(endpoint);
  switch (endpoint.network) {
    case 'tcp': {
      const header = httpHeader(endpoint);
      return header === null ? {} : { headerType: 'http', path: header.path, host: header.host };
    }
    case 'kcp': {
      const { headerType, seed, mtu, tti } = kcpOf(endpoint);
      return {
        headerType: headerType === '' || headerType === 'none' ? undefined : headerType,
        seed: seed || undefined,
        mtu: mtu?.toString(),
        tti: tti?.toString(),
      };
    }
    case 'ws':
    case 'httpupgrade':
      return pathAndHost(endpoint);
    case 'grpc':
      return {
        serviceName: textOf(settings['serviceName']),
        authority: textOf(settings['authority']),
        mode: settings['multiMode'] === true ? 'multi' : undefined,
      };
    case 'xhttp': {
      const extra = xhttpExtra(settings);
      return {
        ...pathAndHost(endpoint),
        mode: settings['mode'] === undefined ? undefined : textOf(settings['mode']),
        x_padding_bytes: scalarText(settings['xPaddingBytes']) || undefined,
        extra: Object.keys(extra).length === 0 ? undefined : sortedJson(extra),
      };
    }
    default:
      return {};
  }
}
