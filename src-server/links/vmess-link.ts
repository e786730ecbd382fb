import type { Json } from '../contract/json.ts';
import { vmessCipher } from './client-identity.ts';
import { objectOf, scalarText, sorted, textOf } from './json-values.ts';
import { tlsParams } from './security-params.ts';
import { httpHeader, kcpOf, maskText, pathAndHost, transportSettings } from './transport-params.ts';
import type { Endpoint, LinkClient, Rendered } from './types.ts';
import { xhttpExtra } from './xhttp.ts';

type Members = Record<string, Json | undefined>;

/** `vmess://` and the base64 of a JSON object, as every app of this kind reads it. */
export function vmessLink(endpoint: Endpoint, client: LinkClient, remark: string): Rendered<string> {
  const { security, tls } = endpoint;
  if (security === 'reality') return { leftOut: 'vmess links cannot express REALITY' };
  const members: Members = {
    v: '2',
    ps: remark,
    add: endpoint.address,
    port: endpoint.port,
    id: client.uuid,
    scy: vmessCipher(client),
    net: endpoint.network,
    tls: security,
    type: 'none',
    ...ofNetwork(endpoint),
    ...(security === 'tls' && tls !== null ? { ...tlsParams(tls), pcs: tls.pins.join(',') || undefined } : {}),
    fm: maskText(endpoint),
  };
  const present = Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Record<
    string,
    Json
  >;
  return { value: `vmess://${Buffer.from(JSON.stringify(sorted(present), null, 2)).toString('base64')}` };
}

function ofNetwork(endpoint: Endpoint): Members {
  const settings = transportSettings(endpoint);
  switch (endpoint.network) {
    case 'tcp': {
      const header = httpHeader(endpoint);
      const type = textOf(objectOf(settings['header'])['type']);
      return header === null ? { type } : { type, path: header.path, host: header.host };
    }
    case 'kcp': {
      const { headerType, seed, mtu, tti } = kcpOf(endpoint);
      return { type: headerType || 'none', path: seed || undefined, mtu: mtu ?? undefined, tti: tti ?? undefined };
    }
    case 'ws':
    case 'httpupgrade':
      return pathAndHost(endpoint);
    case 'grpc':
      return {
        path: textOf(settings['serviceName']),
        authority: textOf(settings['authority']),
        type: settings['multiMode'] === true ? 'multi' : 'none',
      };
    case 'xhttp':
      return {
        ...xhttpExtra(settings),
        ...pathAndHost(endpoint),
        mode: settings['mode'] === undefined ? undefined : textOf(settings['mode']),
        x_padding_bytes: scalarText(settings['xPaddingBytes']) || undefined,
      };
    default:
      return {};
  }
}
